/** The tools that return data, over a real database and a real engine. */
import t from "tap";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { nameServer } from "../outbound/name-server.ts";
import { httpServer } from "../outbound/test-servers.ts";
import { judge, toolbox } from "./toolbox.ts";

const CATALOGUES = [
  ["list_groups", 17],
  ["list_effects", 19],
  ["list_surface_effects", 13],
  ["list_palettes", 24],
  ["list_styles", 12],
] as const;

t.test("lists a catalogue whole or in pages", async (t) => {
  const { call } = await toolbox(t);
  for (const [name, least] of CATALOGUES) {
    const whole = await call(name);
    t.ok(whole.data.length >= least, `${name} has ${whole.data.length}`);
    t.equal(whole.next_cursor, null);
    for (const limit of [5, whole.data.length - 1]) {
      const rows = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await call(name, { limit, ...(cursor && { cursor }) });
        t.ok(page.data.length <= limit);
        rows.push(...page.data);
        cursor = page.next_cursor;
      }
      t.same(rows, whole.data, name);
    }
  }
  await t.rejects(call("list_groups", { cursor: "elsewhere" }), { name: "InvalidInput" });
});

t.test("creates, reads, lists, updates and deletes a pattern of an upload", async (t) => {
  const { call, credits, makeSource, account } = await toolbox(t);
  const source_id = await makeSource();
  t.equal(await credits(), account.credits, "an upload is free");
  const motif = { x: 0.3, rotation: 10 };
  const made = await call("create_pattern", { source_id, group: "p4mm", name: "Tiles", motif });
  t.match(made, { source_id, group: "p4m", name: "Tiles", motif: { x: 0.3, y: 0.5 } });
  t.equal(await credits(), account.credits - 1, "a pattern costs 1");

  const pattern_id = made.id;
  t.same(await call("get_pattern", { pattern_id }), made);
  t.same((await call("list_patterns", { group: "p4m", source_id })).data, [made]);
  t.same((await call("list_patterns", { group: "p2" })).data, []);
  const changed = await call("update_pattern", { pattern_id, group: "p6", motif: { y: 0.9 } });
  t.match(changed, { group: "p6", name: "Tiles", motif: { x: 0.3, y: 0.9, rotation: 10 } });
  t.same(await call("update_pattern", { pattern_id }), changed, "nothing given, nothing changed");
  t.same(await call("delete_pattern", { pattern_id }), { pattern_id, deleted: true });
  await t.rejects(call("get_pattern", { pattern_id }), { name: "NotFound" });
  t.equal(await credits(), account.credits - 1, "all of that is free");
});

t.test("a pattern has inks with names, by the schema that the catalogue publishes", async (t) => {
  const { call, makePattern, picture } = await toolbox(t);
  const { data } = await call("list_effects");
  const { parameters } = data.find(({ id }: { id: string }) => id === "flat_inks");
  const isPublished = judge().compile(parameters.inks);
  const [red, blue] = [
    { name: "Pantone 186 C", colour: "#c8102e" },
    { name: "染料 30 😀", colour: "#1d2a5d" },
  ];
  t.ok(isPublished([red, blue]));
  for (const name of [" ", "a\nb", "a ", ""]) t.notOk(isPublished([red, { ...blue, name }]), name);
  const effects = [{ id: "flat_inks", params: { inks: [red, blue] } }];
  const pattern_id = await makePattern({ effects });
  t.same((await call("get_pattern", { pattern_id })).effects, effects);
  t.match(await picture("render_pattern_tile", { pattern_id, size: 64 }), { facts: {} });
  const twice = [{ id: "flat_inks", params: { inks: [red, red] } }];
  const refusal = await call("update_pattern", { pattern_id, effects: twice }).catch(
    (error) => error,
  );
  t.match(refusal.issues, [
    { path: "/effects/0/params/inks/1/name", message: "two inks have this name" },
    { path: "/effects/0/params/inks/1/colour", message: "two inks have this colour" },
  ]);
});

t.test("paginates the list of patterns", async (t) => {
  const { call, makeSource } = await toolbox(t);
  const source_id = await makeSource();
  const ids = [];
  for (const group of ["p1", "p2", "p3"]) {
    ids.unshift((await call("create_pattern", { source_id, group })).id);
  }
  const first = await call("list_patterns", { limit: 2 });
  const second = await call("list_patterns", { limit: 2, cursor: first.next_cursor });
  const listed = [...first.data, ...second.data].map(({ id }) => id);
  t.same(listed, ids);
  t.equal(second.next_cursor, null);
});

t.test("resources of another account are not found", async (t) => {
  const owner = await toolbox(t);
  const pattern_id = await owner.makePattern();
  const source_id = (await owner.call("get_pattern", { pattern_id })).source_id;
  const stranger = await owner.stranger();
  const own = await stranger.makePattern();
  const before = await stranger.credits();
  const notFound = { name: "NotFound" };
  for (const name of ["get_pattern", "update_pattern", "delete_pattern", "validate_symmetry"]) {
    await t.rejects(stranger.call(name, { pattern_id }), notFound, name);
  }
  for (const name of [
    "render_pattern_tile",
    "render_pattern_surface",
    "render_aperiodic",
    "render_rosette",
  ]) {
    await t.rejects(stranger.picture(name, { pattern_id }), notFound, name);
  }
  const strip = { pattern_id, frieze: { group: "p1" } };
  await t.rejects(stranger.picture("render_frieze", strip), notFound);
  await t.rejects(stranger.call("create_pattern", { source_id, group: "p4" }), notFound);
  await t.rejects(stranger.call("update_pattern", { pattern_id: own, source_id }), notFound);
  t.same((await stranger.call("list_patterns", { source_id })).data, []);
  t.equal(await stranger.credits(), before);
  t.equal((await owner.call("get_pattern", { pattern_id })).id, pattern_id, "and stays");
});

t.test("a preset costs 1 credit and depends on its seed", async (t) => {
  const { call, credits, account } = await toolbox(t);
  const input = { preset: "floral", seed: 7 };
  const made = await call("generate_preset", input);
  t.match(made, { kind: "preset", preset: "floral", seed: 7 });
  t.equal(await credits(), account.credits - 1);
  t.equal((await call("generate_preset", input)).sha256, made.sha256);
  t.not((await call("generate_preset", { ...input, seed: 8 })).sha256, made.sha256);
  const drawn = await call("generate_preset", { preset: "polka" });
  t.type(drawn.seed, "number");
});

t.test("the clean-up deletes unused presets only", async (t) => {
  const { call, makePattern, services, account, stranger } = await toolbox(t);
  const used = (await call("generate_preset", { preset: "polka", seed: 1 })).id;
  await call("create_pattern", { source_id: used, group: "p4" });
  const unused = [];
  for (const seed of [2, 3]) {
    unused.push((await call("generate_preset", { preset: "polka", seed })).id);
  }
  await makePattern();
  const upload = await services.db.sources.list(account.id, { limit: 1 });
  const other = await stranger();
  const foreign = (await other.call("generate_preset", { preset: "polka", seed: 4 })).id;

  t.same(await call("cleanup_presets", { dry_run: true }), { sources: unused, deleted: 0 });
  t.same(await call("cleanup_presets", { dry_run: true }), { sources: unused, deleted: 0 });
  t.same(await call("cleanup_presets"), { sources: unused, deleted: 2 });
  t.same(await call("cleanup_presets"), { sources: [], deleted: 0 });
  const { rows } = await services.db.sources.list(account.id, { limit: 100 });
  t.same(rows.map(({ id }) => id).sort(), [used, ...upload.rows.map(({ id }) => id)].sort());
  t.ok(await services.db.sources.get(other.account.id, foreign), "another account's stays");
});

t.test("the clean-up keeps a source that a pattern starts to use meanwhile", async (t) => {
  const { call, services } = await toolbox(t);
  const taken = (await call("generate_preset", { preset: "polka", seed: 1 })).id;
  const unused = (await call("generate_preset", { preset: "polka", seed: 2 })).id;
  const { unusedPresets } = services.db.sources;
  Object.assign(services.db.sources, {
    unusedPresets: async (...request: Parameters<typeof unusedPresets>) => {
      const found = await unusedPresets(...request);
      await call("create_pattern", { source_id: taken, group: "p4" });
      return found;
    },
  });
  t.same(await call("cleanup_presets"), { sources: [unused], deleted: 1 });
});

t.test("a pattern from a URL costs 1 credit in total; a failed one leaves nothing", async (t) => {
  const png = Buffer.from(pngOf(photograph(40, 30)));
  const { resolve } = await nameServer(t, { "cats.test": ["127.0.0.1"] });
  const { port, connections } = await httpServer(t, (_, response) => response.end(png));
  const outbound = { allow: ["127.0.0.1/32"], resolve };
  const { call, credits, services, account } = await toolbox(t, outbound);
  const url = `http://cats.test:${port}/leaves.png`;
  const sources = async () => (await services.db.sources.list(account.id, { limit: 9 })).rows;

  const broken = [
    [{ group: "p5" }, "InvalidInput"],
    [{ group: "p4", lattice: { ratio: 2 } }, "InvalidRecipe"],
    [{ group: "p4", effects: [{ id: "none" }] }, "InvalidRecipe"],
  ] as const;
  for (const [fields, name] of broken) {
    await t.rejects(call("create_pattern_from_url", { url, ...fields }), { name });
  }
  t.equal(connections(), 0, "an invalid request fetches nothing");

  const made = await call("create_pattern_from_url", { url, group: "cmm", name: "Leaves" });
  t.match(made, { pattern: { group: "cmm", name: "Leaves" }, source: { kind: "url", url } });
  t.equal(made.pattern.source_id, made.source.id);
  t.equal(await credits(), account.credits - 1);
  t.equal((await sources()).length, 1);

  await services.db.accounts.update(account.id, { credits: 0 });
  const before = connections();
  const refused = { name: "CreditsExhausted" };
  await t.rejects(call("create_pattern_from_url", { url, group: "p4" }), refused);
  t.equal(connections(), before, "nothing is fetched without credits");

  // The credits are spent while the picture is being fetched.
  const { byId } = services.db.accounts;
  const rich = { ...account, credits: 1 };
  Object.assign(services.db.accounts, { byId: async () => rich });
  await t.rejects(call("create_pattern_from_url", { url, group: "p4" }), refused);
  Object.assign(services.db.accounts, { byId });
  t.equal(connections(), before + 1);
  t.equal((await sources()).length, 1, "the source that was fetched is gone again");
});

t.test("validates the symmetry of a pattern, or of a picture with a claim", async (t) => {
  const { call, picture, makePattern, credits } = await toolbox(t);
  const pattern_id = await makePattern({ group: "p4g" });
  const before = await credits();
  const ofPattern = await call("validate_symmetry", { pattern_id, size: 256 });
  t.match(ofPattern, { verdict: "valid", claimed: "p4g", found: "p4g" });
  const { bytes } = await picture("render_pattern_tile", { pattern_id, size: 256 });
  const data = Buffer.from(bytes).toString("base64");
  t.match(await call("validate_symmetry", { data, group: "p4gm" }), { verdict: "valid" });
  t.match(await call("validate_symmetry", { data, group: "p6" }), { verdict: "broken" });
  t.equal(await credits(), before);

  const wrong = [
    [{}, "/pattern_id"],
    [{ group: "p4" }, "/pattern_id"],
    [{ data }, "/group"],
    [{ pattern_id, data }, "/data"],
    [{ pattern_id, group: "p4" }, "/group"],
    [{ data: "%", group: "p4" }, "/data"],
  ] as const;
  for (const [input, path] of wrong) {
    const refused = { name: "InvalidInput", issues: [{ path }] };
    await t.rejects(call("validate_symmetry", input), refused, path);
  }
});
