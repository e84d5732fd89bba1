/** Tools that return pictures, and their reduction if too large. */
import t from "tap";
import {
  followRenderLink,
  openLink,
  renderLinkedPicture,
} from "../../server/actions/render-links.ts";
import type { ImageResponse } from "../../server/mcp/tool.ts";
import { photograph, pngOf, rasterOf } from "../helpers/pictures.ts";
import { some } from "../helpers/random-subset.ts";
import { allPositions, differenceUnder, tableRow } from "../helpers/symmetry.ts";
import { noise, PUBLIC_URL, type Toolbox, toolbox } from "../mcp/toolbox.ts";

/** Maximum bytes of the result, as JSON. */
const HEAVIEST_ANSWER = 900_000;

/** The size of the result as clients receive it. */
const weightOf = ({ bytes, facts }: ImageResponse) =>
  Buffer.from(bytes).toString("base64").length + JSON.stringify(JSON.stringify(facts)).length;

/** Fetches the picture of the signed link. */
async function followed({ services }: Toolbox, url: string) {
  const token = new URL(url).searchParams.get("token") ?? "";
  const link = await followRenderLink(services, await openLink(services, token));
  const { signal } = new AbortController();
  return { plan: link.plan, picture: () => renderLinkedPicture(services, link, signal) };
}

t.test("returns a small tile unchanged, with exact symmetry, free of charge", async (t) => {
  const box = await toolbox(t);
  const source = { preset: "polka", seed: 5 };
  const source_id = (await box.call("generate_preset", source)).id;
  const { id: pattern_id } = await box.call("create_pattern", { source_id, group: "pgg" });
  const before = await box.credits();
  const answer = await box.picture("render_pattern_tile", { pattern_id, size: 128 });
  t.equal(answer.mediaType, "image/png");
  const raster = rasterOf(answer.bytes);
  t.same([raster.width, raster.height], [128, 128]);
  for (const position of allPositions(tableRow("pgg"))) {
    t.equal(differenceUnder(position, raster), 0, position);
  }
  const { full, ...facts } = answer.facts;
  t.match(facts, {
    pattern_id,
    group: "pgg",
    source: { id: source_id, ...source },
    render: { size: 128, format: "png", hex_cells: "7x4" },
    picture: { width: 128, height: 128, format: "png", is_preview: false },
    symmetry: { verdict: "valid", found: "pgg", summary: /pgg/ },
  });
  t.match(full, { width: 128, height: 128, format: "png" });
  t.ok(full.url.startsWith(`${PUBLIC_URL}/api/v1/renders/pattern-${pattern_id}.png?token=`));
  t.ok(Date.parse(full.expires_at) > Date.now());
  const { picture } = await followed(box, full.url);
  t.ok(
    Buffer.from(answer.bytes).equals((await picture()).bytes ?? Buffer.of()),
    "the address gives the same",
  );
  t.equal(await box.credits(), before);
});

t.test("three renders of one pattern have three links", async (t) => {
  const box = await toolbox(t);
  const pattern_id = await box.makePattern();
  const expires_in = 7_776_000;
  const shown: { bytes: Uint8Array; url: string }[] = [];
  for (const group of ["p4", "p4m", "p1"]) {
    await box.call("update_pattern", { pattern_id, group });
    const asked = { pattern_id, size: 32, expires_in };
    const { bytes, facts } = await box.picture("render_pattern_tile", asked);
    shown.push({ bytes, url: facts.full.url });
    const lasts = Date.parse(facts.full.expires_at) - Date.now();
    t.ok(lasts > (expires_in - 10) * 1000 && lasts <= expires_in * 1000);
    t.notOk("expires_in" in facts.render, "which is no part of the recipe");
  }
  await box.call("delete_pattern", { pattern_id });
  for (const { bytes, url } of shown) {
    const { picture } = await followed(box, url);
    t.ok(Buffer.from(bytes).equals((await picture()).bytes ?? Buffer.of()));
  }
  t.equal(new Set(shown.map(({ bytes }) => Buffer.from(bytes).toString("base64"))).size, 3);
  const longer = { pattern_id, expires_in: expires_in + 1 };
  await t.rejects(box.picture("render_aperiodic", longer), { message: /expires_in/ });
});

t.test(
  "a sheet has its size, effects and a certificate; an aperiodic tiling has no certificate",
  async (t) => {
    const box = await toolbox(t);
    const pattern_id = await box.makePattern({ group: "p6m" });
    const size = { surface_width: 300, surface_height: 180 };
    const surface_effects = [{ id: "vignette", params: { strength: 0.9 } }];
    const sheet = { pattern_id, ...size, size: 200 };
    const plain = await box.picture("render_pattern_surface", sheet);
    const dark = await box.picture("render_pattern_surface", { ...sheet, surface_effects });
    const { width, height, pixels } = rasterOf(plain.bytes);
    t.same([width, height], [300, 180]);
    t.ok((rasterOf(dark.bytes).pixels[0] ?? 0) < (pixels[0] ?? 0), "the corner is darker");
    t.match(dark.facts, {
      group: "p6m",
      symmetry: { verdict: "valid" },
      render: { surface_effects },
    });

    const tiles = { kind: "ammann_beenker", seed: 3, variation: "parts", blend: 0.1 };
    const tiling = { pattern_id, ...size, ...tiles, cell: 40 };
    const { facts, bytes } = await box.picture("render_aperiodic", tiling);
    t.equal(rasterOf(bytes).width, 300);
    t.match(facts.render, tiles);
    t.notOk("symmetry" in facts || "group" in facts);
    const { plan } = await followed(box, facts.full.url);
    t.match(plan.fields, { mode: "aperiodic", aperiodic: tiles });

    const frieze = { group: "p11g", repeats: 4 };
    const strip = { pattern_id, surface_width: 1720, surface_height: 180, frieze };
    const drawn = await box.picture("render_frieze", strip);
    t.match(drawn.facts, {
      picture: { width: 1568, height: 164, is_preview: true },
      full: { width: 1720, height: 180, repeat_mm: { width: 36.407, height: 15.24 } },
    });
    t.notOk("symmetry" in drawn.facts || "group" in drawn.facts);

    const mandala = {
      pattern_id,
      fold: 7,
      mirrors: false,
      surface_width: 240,
      surface_height: 200,
    };
    const round = await box.picture("render_rosette", mandala);
    const disc = rasterOf(round.bytes);
    t.same([disc.width, disc.height, disc.channels], [240, 200, 4]);
    t.same([disc.pixels[3], disc.pixels[4 * (100 * 240 + 120) + 3]], [0, 255]);
    t.match(round.facts, {
      render: { fold: 7, mirrors: false, shape: "disc" },
      full: { width: 240, height: 200, repeat_mm: null },
    });
    t.notOk("symmetry" in round.facts || "group" in round.facts);
  },
);

t.test("returns each format as a displayable one", async (t) => {
  const { picture, makePattern } = await toolbox(t);
  const pattern_id = await makePattern();
  const cases = { png: "png", jpeg: "jpeg", webp: "webp", avif: "jpeg", tiff: "jpeg" };
  for (const [format, shown] of Object.entries(cases)) {
    const { facts, mediaType } = await picture("render_pattern_tile", {
      pattern_id,
      size: 64,
      format,
    });
    t.equal(mediaType, `image/${shown}`);
    t.match(facts.picture, { format: shown, is_preview: shown !== format, width: 64 });
    t.equal(facts.full.format, format);
  }
});

t.test("returns large pictures as previews, however badly they compress", async (t) => {
  const box = await toolbox(t);
  const worst = { group: "p1", seam: { width: 0 }, motif: { scale: 1 } };
  const pattern_id = await box.makePattern(worst, noise(1600));
  const cases = [
    ["render_pattern_tile", { size: 1024 }, 1024, 1024],
    ["render_pattern_tile", { size: 1568, format: "jpeg", quality: 100 }, 1568, 1568],
    ["render_pattern_tile", { size: 8192 }, 8192, 8192],
    [
      "render_pattern_surface",
      { surface_width: 4000, surface_height: 1000, cell: 1600 },
      4000,
      1000,
    ],
    ["render_pattern_surface", { surface_width: 64, surface_height: 20000 }, 64, 20000],
    ["render_aperiodic", { surface_width: 3000, surface_height: 2800, cell: 700 }, 3000, 2800],
  ] as const;
  for (const [name, fields, width, height] of some(cases, 2)) {
    const what = `${name} ${JSON.stringify(fields)}`;
    const answer = await box.picture(name, { pattern_id, ...fields });
    const { picture, full } = answer.facts;
    t.match(full, { width, height }, what);
    t.equal(picture.is_preview, true, what);
    t.match(await box.services.engine.inspect(answer.bytes), {
      mediaType: "image/jpeg",
      width: picture.width,
      height: picture.height,
    });
    t.ok(Math.max(picture.width, picture.height) <= 1568, what);
    t.ok(weightOf(answer) < HEAVIEST_ANSWER, `${what} weighs ${weightOf(answer)}`);
    const { plan } = await followed(box, full.url);
    t.match(plan.fields, fields, "the address leads to the whole");
  }
});

t.test("a preview keeps transparency", async (t) => {
  const box = await toolbox(t);
  const source = noise(400, { transparent: true });
  const pattern_id = await box.makePattern({ group: "p1" }, source);
  const show = async (fields: object) => {
    const { bytes, mediaType } = await box.picture("render_pattern_tile", {
      pattern_id,
      ...fields,
    });
    const facts = await box.services.engine.inspect(bytes);
    t.equal(facts.mediaType, mediaType);
    return facts;
  };
  t.match(await show({ size: 600 }), { mediaType: "image/webp", hasAlpha: true });
  t.match(await show({ size: 600, format: "tiff" }), { mediaType: "image/webp", hasAlpha: true });
  const opaque = await show({ size: 1600, format: "jpeg" });
  t.match(opaque, { mediaType: "image/jpeg", hasAlpha: false });
  await box.call("update_pattern", { pattern_id, background: "#ffffff" });
  t.match(await show({ size: 1600 }), { mediaType: "image/jpeg" });
});

t.test("rejects invalid renders with paths", async (t) => {
  const { picture, makePattern } = await toolbox(t);
  const pattern_id = await makePattern();
  const cases = [
    ["render_pattern_tile", { size: 8 }, "/size"],
    ["render_pattern_tile", { size: 8192, format: "avif" }, "/format"],
    ["render_pattern_tile", { mode: "surface" }, "/mode"],
    ["render_pattern_surface", { surface_width: 20001 }, "/surface_width"],
    ["render_pattern_surface", { surface_effects: [{ id: "no" }] }, "/surface_effects/0/id"],
    ["render_aperiodic", { kind: "square" }, "/kind"],
    ["render_rosette", { fold: 37 }, "/fold"],
    ["render_frieze", {}, "/frieze"],
    ["render_frieze", { frieze: { group: "p4" } }, "/frieze/group"],
    ["render_frieze", { frieze: { group: "p1", repeats: 33 } }, "/frieze/repeats"],
  ] as const;
  for (const [name, fields, path] of cases) {
    const refused = { message: /./, issues: [{ path }] };
    await t.rejects(picture(name, { pattern_id, ...fields }), refused, path);
  }
});

t.test("a cancelled call ends with its reason", async (t) => {
  const { picture, makePattern, services } = await toolbox(t);
  const pattern_id = await makePattern();
  const leaving = new AbortController();
  const why = new Error("the caller has left");
  const { render } = services.engine;
  let signals = 0;
  Object.assign(services.engine, {
    render: (...request: Parameters<typeof render>) => {
      signals += request[1] ? 1 : 0;
      leaving.abort(why);
      return render(...request);
    },
  });
  t.teardown(() => Object.assign(services.engine, { render }));
  const input = { pattern_id, size: 2048 };
  await t.rejects(picture("render_pattern_tile", input, leaving.signal), why);
  t.equal(signals, 1, "the engine was cancelled");
  t.ok(await picture("render_pattern_tile", { pattern_id, size: 64 }));
});

t.test("reports the resolution that a photograph allows", async (t) => {
  const { picture, makePattern } = await toolbox(t);
  const pattern_id = await makePattern({}, pngOf(photograph(600, 500)));
  const { facts, bytes } = await picture("render_pattern_tile", { pattern_id, size: 1568 });
  t.match(facts.picture, { width: 1568, format: "jpeg" }, "at its full size");
  t.ok(bytes.byteLength > 50_000);
});
