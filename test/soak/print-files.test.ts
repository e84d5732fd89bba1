/** Print files of the engine, read by other programs. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import t from "tap";
import { SRGB_PROFILE } from "../../engine/encoders/icc.ts";
import { InvalidRecipe, type PrintFields, printFacts } from "../../engine/index.ts";
import { temporaryFolder } from "../helpers/database.ts";
import { bytesOf, request, testEngine } from "../helpers/engine.ts";
import { runValidator, skipWithout } from "../helpers/external-validators.ts";
import { meanDifference, pngOf, type Raster, rasterWithin } from "../helpers/pictures.ts";
import { type PrintParts, printed, printRequest } from "../helpers/print.ts";
import { sequence } from "../helpers/sequence.ts";
import { readTiff, TAG } from "../helpers/tiff.ts";

const FORMATS = ["png", "tiff", "jpeg", "pdf"] as const satisfies PrintFields["format"][];
const RASTERS = ["png", "tiff", "jpeg"] as const;

async function read(file: Buffer): Promise<Raster> {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { width, height, channels, pixels: Uint8Array.from(data) };
}

/** A quarter of it is clear, a quarter half so. */
const veil = pngOf({
  width: 40,
  height: 40,
  channels: 4,
  pixels: Uint8Array.from({ length: 6400 }, (_, at) =>
    at % 4 === 3 ? [255, 255, 0, 128][Math.floor(at / 1600)] : (at * 7) % 251,
  ),
});

const engine = await testEngine(t);

t.test("a sheet has exact pixels, resolution and profile in every format", async (t) => {
  const random = sequence(3);
  for (const format of RASTERS) {
    for (let k = 0; k < 6; k++) {
      const [width_mm, height_mm] = [10 + 40 * random(), 10 + 40 * random()];
      const dpi = Math.round(60 + 200 * random());
      const bleed_mm = k % 3;
      const print = { format, width_mm, height_mm, dpi, bleed_mm };
      const facts = await sharp(await printed(engine, { print })).metadata();
      t.equal(facts.width, Math.round(((width_mm + 2 * bleed_mm) / 25.4) * dpi));
      t.equal(facts.height, Math.round(((height_mm + 2 * bleed_mm) / 25.4) * dpi));
      t.equal(Math.round(facts.density ?? 0), dpi, format);
      t.ok(facts.icc?.equals(SRGB_PROFILE.bytes), format);
    }
  }
});

t.test("all formats show the same picture as a render", async (t) => {
  const print = { width_mm: 50.8, height_mm: 25.4, dpi: 100, cell_mm: 12.7, rotation: 20 };
  const sheet = { mode: "surface", surface_width: 200, surface_height: 100, cell: 50 } as const;
  const rendered = request({ render: { ...sheet, rotation: 20 } });
  const expected = await read(Buffer.from(await bytesOf(await engine.render(rendered))));
  for (const compression of ["lzw", "deflate"] as const) {
    const tiff = await read(
      await printed(engine, { print: { ...print, format: "tiff", compression } }),
    );
    rasterWithin(t, tiff, expected, 0, compression);
  }
  rasterWithin(
    t,
    await read(await printed(engine, { print: { ...print, format: "png" } })),
    expected,
    0,
    "png",
  );
  const jpeg = await read(await printed(engine, { print: { ...print, format: "jpeg" } }));
  t.ok(meanDifference(jpeg, expected) < 3);
});

t.test("the pattern's origin stays at the trim's corner, whatever the bleed", async (t) => {
  // A bleed of 25 pixels.
  const print = {
    format: "png",
    dpi: 100,
    cell_mm: 12.7,
    offset_mm: { x: 5.08, y: -2.54 },
  } as const;
  const trimmed = await printed(engine, { print });
  const bled = await printed(engine, { print: { ...print, bleed_mm: 6.35 } });
  const { width, height } = await sharp(trimmed).metadata();
  const cut = sharp(bled).extract({ left: 25, top: 25, width, height });
  t.ok((await cut.raw().toBuffer()).equals(await sharp(trimmed).raw().toBuffer()));
});

t.test(
  "keeps transparency in formats that support it, and flattens it to white in others",
  async (t) => {
    const print = { width_mm: 20, height_mm: 20, cell_mm: 10, dpi: 100 };
    const laid = { source: veil, background: "#ffffff" };
    for (const format of ["png", "tiff"] as const) {
      const file = await read(await printed(engine, { source: veil, print: { ...print, format } }));
      t.equal(file.channels, 4, format);
    }
    for (const format of ["jpeg", "pdf"] as const) {
      const clear = await printed(engine, { source: veil, print: { ...print, format } });
      t.ok(clear.equals(await printed(engine, { ...laid, print: { ...print, format } })), format);
    }
  },
);

t.test("a TIFF of flat inks is indexed, and has the pixels of the PNG", async (t) => {
  const inks = { group: "p4", effects: [{ id: "flat_inks", params: { count: 5 } }] } as const;
  const sheet = { cell_mm: 15, dpi: 100 };
  const png = await read(await printed(engine, { ...inks, print: { ...sheet, format: "png" } }));
  for (const compression of ["lzw", "deflate"] as const) {
    const print = { ...sheet, format: "tiff", compression } as const;
    const file = await printed(engine, { ...inks, print });
    rasterWithin(t, await read(file), png, 0, compression);
    t.ok((await sharp(file).metadata()).icc?.equals(SRGB_PROFILE.bytes));
  }
  const print = { ...sheet, format: "tiff" } as const;
  const { tags, pixels } = readTiff(await printed(engine, { ...inks, print }));
  t.equal(new Set(pixels).size, 5, "one index an ink");
  t.equal(tags.get(TAG.colourMap)?.length, 3 * 256);
  t.match(tags.get(TAG.photometric), [3]);
  t.match(tags.get(TAG.predictor), [1], "indices have no differences");

  const colours: Record<string, PrintParts> = {
    "surface effects": { ...inks, print: { ...print, surface_effects: [{ id: "grain" }] } },
    transparency: { ...inks, source: veil, print },
    "more than 256 colours": { group: "p4", print },
  };
  for (const [what, parts] of Object.entries(colours)) {
    const { tags } = readTiff(await printed(engine, parts));
    t.match(tags.get(TAG.photometric), [2], what);
    t.notOk(tags.has(TAG.colourMap), what);
  }
});

const kinds: Record<string, PrintParts> = {
  surface: { group: "p6m", print: { cell_mm: 15 } },
  effects: { print: { cell_mm: 15, surface_effects: [{ id: "grain" }, { id: "vignette" }] } },
  aperiodic: { print: { mode: "aperiodic", aperiodic: { kind: "penrose_p2" } } },
};

t.test("the same request always gives the same bytes", async (t) => {
  const [one, other] = [engine, await testEngine(t)];
  for (const [name, parts] of Object.entries(kinds)) {
    for (const format of FORMATS) {
      const print = { ...parts.print, dpi: 72, format };
      const first = await printed(one, { ...parts, print });
      t.ok(first.equals(await printed(other, { ...parts, print })), `${name} ${format}`);
      t.ok(first.equals(await printed(one, { ...parts, print })), `${name} ${format}, again`);
    }
  }
});

t.test("the header has kind and size, and the file the declared end", async (t) => {
  for (const format of FORMATS) {
    const printing = await engine.print(printRequest({ print: { format, cell_mm: 20 } }));
    t.equal(printing.mediaType, printFacts[format].mediaType);
    t.equal(printing.backend, "webasm");
    const shares = [printing.progress()];
    for await (const piece of printing.body) {
      t.ok(piece.length > 0);
      shares.push(printing.progress());
    }
    t.strictSame(shares, [...shares].sort(), "it never goes back");
    t.equal(shares.at(-1), 1);
    const patch = await printing.patch;
    t.equal(patch?.at ?? null, format === "tiff" ? 4 : null);
    t.match(await printing.timings, { sample: Number, encode: Number });
    const pixels = [printing.width, printing.height];
    t.strictSame(pixels, format === "pdf" ? [256, 256] : [709, 472], format);
  }
});

t.test("a cancelled print ends and frees its thread", async (t) => {
  const sheet = { width_mm: 1600, height_mm: 1600, rotation: 10 };
  for (const format of RASTERS) {
    const gone = new AbortController();
    const print = { ...sheet, format };
    const printing = await engine.print(printRequest({ print }), gone.signal);
    const reading = bytesOf(printing);
    gone.abort(new Error("gone"));
    await t.rejects(reading, { message: "gone" });
    await t.rejects(printing.patch, { message: "gone" });
    t.ok(printing.progress() < 0.5, format);
  }
  const left = await engine.print(printRequest({ print: { ...sheet, format: "png" } }));
  await left.body[Symbol.asyncIterator]().return?.();
  t.ok((await printed(engine, { print: { dpi: 36 } })).length > 0);
});

t.test("rejects invalid prints", async (t) => {
  t.throws(() => printRequest({ print: { format: "png", crop_marks: true } }), InvalidRecipe);
  t.throws(() => printRequest({ group: "p4", lattice: { ratio: 2 } }), InvalidRecipe);
});

t.test("pngcheck accepts the files", { skip: skipWithout("pngcheck") }, async (t) => {
  const file = join(await temporaryFolder(t), "print.png");
  await writeFile(file, await printed(engine, { print: { format: "png", dpi: 254 } }));
  const told = await runValidator("pngcheck", "-v", file);
  t.match(told, /chunk iCCP at offset .*\n\s+profile name = sRGB IEC61966-2.1/);
  t.match(told, /chunk pHYs .*: 10000x10000 pixels\/meter \(254 dpi\)/);
  t.notMatch(told, /chunk sRGB/);
  t.match(told, /No errors detected/);
  t.notMatch(told, /warning/i);
});
