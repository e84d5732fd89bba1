import t from "tap";
import { GROUP_NAMES } from "../../engine/index.ts";
import { etagOf, testServer } from "../helpers/server.ts";

t.test("creates a pattern with defaults, for one credit", async (t) => {
  const server = await testServer(t);
  const source_id = await server.makeSource();
  const made = await server.request("POST", "/patterns", { json: { source_id, group: "p4" } });
  t.equal(made.status, 201);
  t.match(made.json, {
    source_id,
    group: "p4",
    name: null,
    motif: { x: 0.5, y: 0.5, scale: 1, rotation: 0 },
    lattice: { ratio: 1, repeat: "straight" },
    seam: { method: "blend", width: 0.12, preserve_contrast: true },
    effects: [],
    palette: null,
    style: null,
    background: null,
  });
  const got = await server.request("GET", `/patterns/${made.json.id}`);
  t.same(got.json, made.json);
  const account = await server.request("GET", "/account");
  t.equal(account.json.credits, server.account.credits - 1);
});

t.test("motif, lattice and seam may be given in part", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern({ motif: { rotation: 30 }, seam: { width: 0.2 } });
  const path = `/patterns/${id}`;
  const made = (await server.request("GET", path)).json;
  t.same(made.motif, { x: 0.5, y: 0.5, scale: 1, rotation: 30, sampling: "smooth" });
  t.same(made.seam, { method: "blend", width: 0.2, preserve_contrast: true });

  const json = { motif: { x: 0.25 }, name: "Tiles", background: "#ABCDEF" };
  const changed = (await server.request("PATCH", path, { json })).json;
  t.same(changed.motif, { ...made.motif, x: 0.25 }, "the rest stays");
  t.same(changed.seam, made.seam);
  t.equal(changed.name, "Tiles");
  t.equal(changed.background, "#abcdef");
  const cleared = await server.request("PATCH", path, { json: { name: null, background: null } });
  t.match(cleared.json, { name: null, background: null, motif: changed.motif });
});

t.test("accepts groups by any name and stores the short one", async (t) => {
  const server = await testServer(t);
  const source_id = await server.makeSource();
  for (const [given, kept] of [
    ["p4mm", "p4m"],
    ["*442", "p4m"],
    ["p1m1", "pm"],
    ["632", "p6"],
  ]) {
    const json = { source_id, group: given };
    t.equal((await server.request("POST", "/patterns", { json })).json.group, kept);
  }
  const listed = await server.request("GET", "/patterns?group=*442");
  t.same(
    listed.json.data.map((pattern: { group: string }) => pattern.group),
    ["p4m", "p4m"],
    "also in a filter",
  );
});

t.test("rejects an unknown group with a list of all 17", async (t) => {
  const server = await testServer(t);
  const source_id = await server.makeSource();
  const json = { source_id, group: "p5" };
  const refused = await server.request("POST", "/patterns", { json });
  t.equal(refused.status, 422);
  t.equal(refused.json.code, "validation_failed");
  const [error] = refused.json.errors;
  t.equal(error.path, "/group");
  t.equal(error.received, '"p5"');
  for (const name of GROUP_NAMES) t.ok(error.expected.split(/[ ,]+/).includes(name), name);
  const account = await server.request("GET", "/account");
  t.equal(account.json.credits, server.account.credits, "and costs nothing");
});

t.test("lists are paginated, newest first, and can be filtered by source", async (t) => {
  const server = await testServer(t);
  const source_id = await server.makeSource();
  const ids: number[] = [];
  for (let count = 0; count < 5; count++) {
    const made = await server.request("POST", "/patterns", { json: { source_id, group: "p2" } });
    ids.unshift(made.json.id);
  }
  await server.makePattern();
  const seen: number[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const from: string = cursor && `&cursor=${cursor}`;
    const page = await server.request("GET", `/patterns?source_id=${source_id}&limit=2${from}`);
    seen.push(...page.json.data.map(({ id }: { id: number }) => id));
    cursor = page.json.next_cursor;
  }
  t.same(seen, ids);
});

t.test("If-Match restricts an update to one version", async (t) => {
  const server = await testServer(t);
  const path = `/patterns/${await server.makePattern()}`;
  const tag = etagOf(await server.request("GET", path));
  const change = (ifMatch: string, name: string) =>
    server.request("PATCH", path, { json: { name }, headers: { "If-Match": ifMatch } });

  const first = await change(tag, "first");
  t.equal(first.status, 200);
  t.not(first.headers.get("ETag"), tag);
  const second = await change(tag, "second");
  t.equal(second.status, 412);
  t.equal(second.json.code, "precondition_failed");
  t.equal((await change(`W/${first.headers.get("ETag")}`, "weak")).status, 412, "weak never match");
  t.equal((await change("garbage", "third")).json.code, "malformed_request");
  t.equal((await server.request("GET", path)).json.name, "first", "refused changes change nothing");
  t.equal((await change(`"x", ${first.headers.get("ETag")}`, "fourth")).status, 200);
  t.equal((await change("*", "fifth")).status, 200);
});

t.test("rejects unknown fields in an update, and an empty one has no effect", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  for (const part of ["motif", "lattice", "seam"]) {
    for (const name of ["z", "a\u0000", "__proto__"]) {
      const json = JSON.parse(`{"${part}": {${JSON.stringify(name)}: 1}}`);
      const refused = await server.request("PATCH", `/patterns/${id}`, { json });
      t.equal(refused.status, 422, `${part}/${name}`);
    }
  }
  const before = await server.request("GET", `/patterns/${id}`);
  const same = await server.request("PATCH", `/patterns/${id}`, { json: {} });
  t.equal(same.headers.get("ETag"), before.headers.get("ETag"));
  t.strictSame(same.json, before.json);
});

t.test("a counterchange is one of its group's", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern({ group: "p4m", counterchange: "p4g" });
  const path = `/patterns/${id}`;
  const change = (json: object) => server.request("PATCH", path, { json });
  t.equal((await server.request("GET", path)).json.counterchange, "p4g");
  const refused = await change({ group: "p6" });
  t.equal(refused.status, 422);
  t.match(refused.json.errors, [
    {
      path: "/counterchange",
      message: "p6 has no counterchange of this name",
      expected: "null, p3",
    },
  ]);
  t.match((await change({ counterchange: "p3" })).json.errors, [{ path: "/counterchange" }]);
  t.match((await change({ group: "p6", counterchange: "p3" })).json, { counterchange: "p3" });
  t.match((await change({ group: "p3", counterchange: null })).json, { counterchange: null });
  const { data } = (await server.request("GET", "/groups")).json;
  t.match(
    data.find(({ name }: { name: string }) => name === "p6"),
    { counterchanges: ["p3"] },
  );
});

t.test("rejects a lattice of the wrong kind", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern({ group: "p1", lattice: { repeat: "brick", ratio: 2 } });
  const refused = await server.request("PATCH", `/patterns/${id}`, { json: { group: "p4" } });
  t.equal(refused.status, 422);
  t.strictSame(
    refused.json.errors.map(({ path }: { path: string }) => path),
    ["/lattice/repeat", "/lattice/ratio"],
  );
  const lattice = { repeat: "straight", ratio: 1 };
  const changed = await server.request("PATCH", `/patterns/${id}`, {
    json: { group: "p4", lattice },
  });
  t.match(changed.json, { group: "p4", lattice });
});

t.test("concurrent updates are all applied", async (t) => {
  const server = await testServer(t);
  const path = `/patterns/${await server.makePattern()}`;
  const changes = [{ motif: { x: 0.1 } }, { motif: { y: 0.2 } }, { motif: { scale: 3 } }];
  await Promise.all(changes.map((json) => server.request("PATCH", path, { json })));
  const { motif } = (await server.request("GET", path)).json;
  t.same(motif, { x: 0.1, y: 0.2, scale: 3, rotation: 0, sampling: "smooth" });
});

t.test("responds 304 to a matching If-None-Match of a pattern", async (t) => {
  const server = await testServer(t);
  const path = `/patterns/${await server.makePattern()}`;
  const tag = etagOf(await server.request("GET", path));
  const again = await server.request("GET", path, { headers: { "If-None-Match": tag } });
  t.equal(again.status, 304);
  t.equal(again.bytes.length, 0);
});

t.test("a deleted pattern returns 404", async (t) => {
  const server = await testServer(t);
  const path = `/patterns/${await server.makePattern()}`;
  t.equal((await server.request("DELETE", path)).status, 204);
  t.equal((await server.request("GET", path)).status, 404);
  t.equal((await server.request("DELETE", path)).status, 404);
});

t.test("resources of another account are not found", async (t) => {
  const server = await testServer(t);
  const stranger = await server.makeCaller({});
  const source_id = await server.makeSource();
  const id = await server.makePattern();
  const attempts: [string, string, object?][] = [
    ["GET", `/patterns/${id}`],
    ["PATCH", `/patterns/${id}`, { name: "mine" }],
    ["DELETE", `/patterns/${id}`],
    ["POST", `/patterns/${id}/render`, { size: 16 }],
    ["GET", `/patterns/${id}/render?size=16`],
    ["GET", `/sources/${source_id}`],
    ["GET", `/sources/${source_id}/image`],
    ["DELETE", `/sources/${source_id}`],
    ["POST", "/patterns", { source_id, group: "p1" }],
  ];
  for (const [method, path, json] of attempts) {
    const reply = await server.request(method, path, { as: stranger, ...(json && { json }) });
    t.equal(reply.status, 404, `${method} ${path}`);
    t.equal(reply.json.code, "not_found");
  }
  const own = await server.request("POST", "/patterns", {
    as: stranger,
    json: { source_id, group: "p1" },
  });
  t.equal(own.status, 404);
  const moved = await server.request("PATCH", `/patterns/${id}`, { json: { source_id: 10 ** 9 } });
  t.equal(moved.status, 404, "a pattern cannot move to a source that is not there");
  t.same((await server.request("GET", "/patterns", { as: stranger })).json.data, []);
  t.equal((await server.request("GET", `/patterns/${id}`)).json.name, null, "nothing changed");
});

t.test("If-Match restricts a deletion to one version", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const remove = (tag: string) =>
    server.request("DELETE", `/patterns/${id}`, { headers: tag ? { "If-Match": tag } : {} });
  const old = etagOf(await server.request("GET", `/patterns/${id}`));
  const changed = await server.request("PATCH", `/patterns/${id}`, { json: { name: "new" } });
  t.match((await remove(old)).json, { status: 412, code: "precondition_failed" });
  t.match((await remove("nonsense")).json, { status: 400, code: "malformed_request" });
  t.equal((await remove(etagOf(changed))).status, 204);
  t.equal((await remove("*")).status, 404);
  t.equal((await remove("")).status, 404);
});

t.test("patterns and sources are found by a part of their names, or by their ids", async (t) => {
  const server = await testServer(t);
  const json = { preset: "stripes", seed: 1 };
  const { id: source_id } = (await server.request("POST", "/sources/presets", { json })).json;
  const ids: number[] = [];
  for (const name of ["Forest 50%", "Sea", null]) {
    const fields = { source_id, group: "p4", ...(name && { name }) };
    ids.push((await server.request("POST", "/patterns", { json: fields })).json.id);
  }
  const found = async (path: string, search: string) => {
    const reply = await server.request("GET", `${path}?search=${encodeURIComponent(search)}`);
    return reply.json.data.map(({ id }: { id: number }) => id);
  };
  const [forest, sea, unnamed] = ids;
  t.same(await found("/patterns", "fOREst"), [forest]);
  t.same(await found("/patterns", "%"), [forest], "nothing is a wildcard");
  t.same(await found("/patterns", "e"), [sea, forest]);
  t.same(await found("/patterns", String(unnamed)), [unnamed]);
  t.same(await found("/sources", "strip"), [source_id]);
  t.same(await found("/sources", "forest"), []);
  t.equal((await server.request("GET", "/patterns?search=")).status, 422);
});
