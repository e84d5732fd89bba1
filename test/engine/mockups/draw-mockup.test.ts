/** Mockups through the engine's public interface. */
import sharp from "sharp";
import t from "tap";
import {
  checkDesign,
  InvalidRecipe,
  MOCKUP_SIZE,
  type MockupRequest,
  SourceUnreadable,
} from "../../../engine/index.ts";
import { pixelsOf, request, testEngine } from "../../helpers/engine.ts";
import { pngOf } from "../../helpers/pictures.ts";

/** A picture whose left half is black and whose right half is white, or transparent. */
function halves(channels: 3 | 4): Uint8Array {
  const side = 64;
  const pixels = new Uint8Array(side * side * channels).fill(255);
  for (let i = 0; i < side * side; i++) {
    const black = i % side < side / 2;
    if (black) pixels.fill(0, i * channels, i * channels + 3);
    if (channels === 4) pixels[i * 4 + 3] = black ? 255 : 0;
  }
  return pngOf({ width: side, height: side, channels, pixels });
}

function mockup(
  product: string,
  source: Uint8Array,
  more: Partial<MockupRequest> = {},
): MockupRequest {
  const { design, source: named } = request({ group: "p1", source });
  return { design, source: named, product, ...more };
}

/** The red of a row of a picture, from column `from` to `to`. */
async function rowOf(jpeg: Uint8Array, y: number, from: number, to: number): Promise<Uint8Array> {
  return sharp(jpeg)
    .extract({ left: from, top: y, width: to - from, height: 1 })
    .extractChannel(0)
    .raw()
    .toBuffer();
}

/** Where a row gets dark, in pixels from its start. */
function falls(row: Uint8Array): number[] {
  const half = (Math.min(...row) + Math.max(...row)) / 2;
  return Array.from(row).flatMap((value, x) => {
    const before = row[x - 1] ?? value;
    return before > half && value <= half ? [x - (half - value) / (before - value)] : [];
  });
}

/** Of the framed poster: units of the picture to a millimetre, and a row through its print. */
const POSTER = { perMm: 1.6, row: 690, left: 415, right: 1105 };

const engine = await testEngine(t);

t.test("a poster is a JPEG with the pattern at its size, the same bytes every time", async (t) => {
  const wanted = mockup("framed-poster", halves(3), { cell_mm: 30 });
  const jpeg = await engine.drawMockup(wanted);
  const facts = await sharp(jpeg).metadata();
  t.match(facts, { format: "jpeg", width: MOCKUP_SIZE, height: MOCKUP_SIZE });
  t.equal(facts.chromaSubsampling, "4:4:4");
  const edges = falls(await rowOf(jpeg, POSTER.row, POSTER.left, POSTER.right));
  const period = ((edges.at(-1) ?? 0) - edges[0]) / (edges.length - 1);
  t.ok(edges.length > 10, `${edges.length} stripes`);
  t.ok(Math.abs(period - 30 * POSTER.perMm) < 0.05, `one every ${period} pixels`);
  t.equal(Buffer.compare(await engine.drawMockup(wanted), jpeg), 0);
});

t.test("a cell larger than the print shows its part of the pattern", async (t) => {
  const wanted = mockup("framed-poster", halves(3), { cell_mm: 600 });
  const jpeg = await engine.drawMockup(wanted);
  const edges = falls(
    await rowOf(jpeg, POSTER.row, POSTER.left, POSTER.right).then((row) => row.reverse()),
  );
  t.equal(edges.length, 1, "black on the left, white on the right");
  const tile = await pixelsOf(engine, { group: "p1", source: halves(3), render: { size: 600 } });
  const ofTile = Uint8Array.from({ length: 440 }, (_, x) => tile.pixels[tile.channels * x]);
  const expected = falls(ofTile.reverse());
  t.equal(expected.length, 1);
  const [fromRight] = edges;
  const inMm = 440 - (fromRight + 1600 - POSTER.right - (1600 - 1112)) / POSTER.perMm;
  t.ok(
    Math.abs(inMm - (440 - expected[0])) < 6,
    `${inMm} mm from the left, in the tile ${440 - expected[0]}`,
  );
});

t.test("transparent places show the product, unless the design has a background", async (t) => {
  const source = halves(4);
  const bare = mockup("framed-poster", source, { cell_mm: 100 });
  const design = checkDesign({ ...bare.design, background: "#102080" });
  const brightest = async (wanted: MockupRequest) =>
    Math.max(
      ...(await rowOf(await engine.drawMockup(wanted), POSTER.row, POSTER.left, POSTER.right)),
    );
  t.ok((await brightest(bare)) > 180, "the white of the paper");
  t.ok((await brightest({ ...bare, design })) < 60, "the blue of the background");
});

t.test("rejects invalid mockups before a thread runs", async (t) => {
  const cases = [
    [mockup("teapot", halves(3)), "/product"],
    [mockup("mug", halves(3), { cell_mm: 4 }), "/cell_mm"],
    [mockup("mug", halves(3), { cell_mm: 2001 }), "/cell_mm"],
    [mockup("mug", halves(3), { cell_mm: Number.NaN }), "/cell_mm"],
  ] as const;
  for (const [wanted, path] of cases) {
    const error = await engine.drawMockup(wanted).catch((error) => error);
    t.ok(error instanceof InvalidRecipe, path);
    t.equal(error.issues[0].path, path);
  }
  const torn = mockup("mug", halves(3).subarray(0, 80));
  await t.rejects(engine.drawMockup(torn), SourceUnreadable);
});

t.test("a cancelled mockup ends and frees its thread", async (t) => {
  const engine = await testEngine(t);
  await t.rejects(engine.drawMockup(mockup("mug", halves(3)), AbortSignal.abort()));
  const reason = new Error("gone");
  const left = new AbortController();
  const drawing = engine.drawMockup(mockup("mug", halves(3)), left.signal);
  setTimeout(() => left.abort(reason), 300);
  await t.rejects(drawing, reason);
  t.equal((await pixelsOf(engine, { render: { size: 32 } })).width, 32);
});
