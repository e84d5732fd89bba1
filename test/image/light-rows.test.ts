/** Rows of light that are written and mixed by vectors are those that JavaScript writes and mixes. */
import t from "tap";
import { createPartCopy } from "../../engine/image/continued-part.ts";
import { LIGHT_WORDS, writeLight } from "../../engine/image/light.ts";
import { copierBetween, LEAST_PIXELS, registerMemory } from "../../engine/image/light-copy.ts";
import {
  createRowMemory,
  MOST_WEIGHTS,
  ROW_PIXELS,
  ROWS,
  type RowMemory,
} from "../../engine/image/light-rows.ts";
import { mixRows, WHOLE_WEIGHT } from "../../engine/image/mix-light.ts";
import type { PackedImage, Region } from "../../engine/image/picture.ts";
import { photograph } from "../helpers/pictures.ts";
import { seed } from "../helpers/random-subset.ts";
import { sequence } from "../helpers/sequence.ts";

/** Creates rows that JavaScript writes and mixes. */
function createPlainRows(): RowMemory {
  const colours = new Float32Array(ROW_PIXELS);
  const weights = new Int32Array(3 * MOST_WEIGHTS);
  const rows = Array.from({ length: ROWS }, () => new Int32Array(LIGHT_WORDS * ROW_PIXELS));
  return {
    colours,
    weights,
    rows,
    write: (row, count) => writeLight({ colour: colours, alpha: null }, 0, rows[row], 0, count),
    mix: (into, start, near, far, count, firstWeight, step) =>
      mixRows(rows[into], start, rows[near], rows[far], count, weights, firstWeight, step, false),
  };
}

const plain = createPlainRows();
const vectors = createRowMemory();
const both: readonly RowMemory[] = [plain, vectors];

/** The light of the first pixels of a row, in both memories. */
const lightOf = (row: number, pixels: number) =>
  both.map(({ rows }) => Buffer.from(rows[row].slice(0, 2 * pixels).buffer)) as [Buffer, Buffer];

/** Writes the same random colours to a row of both. */
function writeColours(row: number, random: () => number) {
  const colours = Float32Array.from({ length: ROW_PIXELS }, () => Math.floor(random() * 2 ** 24));
  for (const memory of both) {
    memory.colours.set(colours);
    memory.write(row, ROW_PIXELS);
  }
}

t.test("every level of each channel has the same light", (t) => {
  for (const shift of [0, 8, 16]) {
    const colours = Float32Array.from({ length: 256 }, (_, level) => level * 2 ** shift);
    for (const memory of both) {
      memory.colours.set(colours);
      memory.write(2, 256);
    }
    const [expected, found] = lightOf(2, 256);
    t.ok(found.equals(expected), `${shift}`);
  }
  t.end();
});

t.test("rows of any length are mixed by any weights, and no pixel beside them changes", (t) => {
  t.comment(`seed ${seed}`);
  const random = sequence(seed);
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  for (let round = 0; round < 300; round++) {
    for (const row of [0, 1, 2]) writeColours(row, random);
    const start = whole(0, 9);
    const count = round % 2 ? whole(1, 40) : whole(1, ROW_PIXELS - start);
    const step = round % 3 ? 3 : 0;
    const weights = Array.from({ length: count }, () => {
      const own = whole(0, 4) ? whole(0, WHOLE_WEIGHT) : 0;
      const byNear = whole(0, 4) ? whole(0, WHOLE_WEIGHT - own) : WHOLE_WEIGHT - own;
      return [own, byNear, WHOLE_WEIGHT - own - byNear];
    });
    const [before] = lightOf(0, ROW_PIXELS);
    for (const memory of both) {
      memory.weights.set([...weights, [WHOLE_WEIGHT, 0, 0]].flat(), 3);
      memory.mix(0, start, 1, 2, count, 3, step);
    }
    const [expected, found] = lightOf(0, ROW_PIXELS);
    const what = `${count} from ${start}, step ${step}`;
    const [from, to] = [8 * start, 8 * (start + count)];
    t.ok(found.subarray(from, to).equals(expected.subarray(from, to)), what);
    if (step === 0) continue;
    t.ok(found.subarray(0, from).equals(before.subarray(0, from)), `${what}, before`);
    t.ok(found.subarray(to).equals(before.subarray(to)), `${what}, after`);
  }
  t.end();
});

/** Copies parts of pictures in pieces, a piece of each in turn; returns the light of each part. */
function copied(
  pictures: readonly PackedImage[],
  region: Region,
  pieces: number,
): readonly Buffer[] {
  const parts = pictures.map((picture) => ({
    light: new Int32Array(2 * region.width * region.height).fill(1),
    copy: createPartCopy(picture, region),
  }));
  const width = Math.ceil(region.width / pieces);
  for (let piece = 0; piece < pieces; piece++) {
    const x = region.x + piece * width;
    const rest = region.x + region.width - x;
    for (let y = region.y; y < region.y + region.height; y += 20) {
      const rectangle = { x, y, width: Math.min(width, rest), height: 20 };
      for (const { light, copy } of parts) copy({ light, length: region.width }, [rectangle]);
    }
  }
  return parts.map(({ light }) => Buffer.from(light.buffer));
}

function photo(hasAlpha: boolean): PackedImage {
  const { pixels } = photograph(96, 64);
  const colour = Float32Array.from({ length: 96 * 64 }, (_, n) =>
    pixels.subarray(3 * n, 3 * n + 3).reduce((packed, byte) => packed * 256 + byte, 0),
  );
  const alpha = hasAlpha ? Uint8Array.from(colour, (packed) => packed & 255) : null;
  return { width: 96, height: 64, colour, alpha };
}

t.test("parts that are wider than a row are the same in narrow pieces, in turn", (t) => {
  const region = { x: -2500, y: -20, width: ROW_PIXELS + 900, height: 60 };
  const pictures = [photo(false), photo(true)];
  const alone = pictures.flatMap((picture) => copied([picture], region, 1));
  for (const pieces of [1, 8]) {
    for (const [n, part] of copied(pictures, region, pieces).entries()) {
      t.ok(part.equals(alone[n]), `${pieces} pieces, picture ${n}`);
    }
  }
  t.notOk(alone[0].equals(alone[1]));
  t.end();
});

/** Shared memory for a source and memory for a kernel, as jobs have them. */
function registeredMemories(pages: number) {
  const source = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const target = new WebAssembly.Memory({ initial: pages });
  for (const memory of [source, target]) registerMemory(memory);
  return { source, target };
}

t.test("rectangles are copied between memories as JavaScript copies them", (t) => {
  t.comment(`seed ${seed}`);
  const random = sequence(seed);
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const { source, target } = registeredMemories(4);
  const colour = new Float32Array(source.buffer, 64, 40_000);
  for (let at = 0; at < colour.length; at++) colour[at] = whole(0, 2 ** 24 - 1);
  const light = new Int32Array(target.buffer, 8, 30_000);
  const copy = copierBetween(colour, light);
  if (copy === null) throw new Error("the memories are not known");
  const expected = new Int32Array(light.length);
  for (let round = 0; round < 200; round++) {
    const width = whole(LEAST_PIXELS, 70);
    const rows = whole(1, 40);
    const [from, to] = [
      { start: whole(0, 5000), length: whole(width, 400) },
      { start: whole(0, 500), length: whole(width, 200) },
    ];
    light.fill(round);
    expected.fill(round);
    copy(width, rows, from, to);
    for (let row = 0; row < rows; row++) {
      const [first, start] = [from, to].map(({ start, length }) => start + row * length);
      writeLight({ colour, alpha: null }, first, expected, start, width);
    }
    t.ok(
      light.every((word, at) => word === expected[at]),
      `${width} × ${rows}`,
    );
  }
  t.end();
});

t.test("a part of a source that threads share is the same as one of another", (t) => {
  const { source, target } = registeredMemories(40);
  const one = photo(false);
  const shared = new Float32Array(source.buffer, 128, one.colour.length);
  shared.set(one.colour);
  const region = { x: -70, y: -40, width: 260, height: 170 };
  const light = new Int32Array(target.buffer, 16, 2 * region.width * region.height);
  const copy = createPartCopy({ ...one, colour: shared }, region);
  for (let y = region.y; y < region.y + region.height; y += 34) {
    for (let x = region.x; x < region.x + region.width; x += 52) {
      copy({ light, length: region.width }, [{ x, y, width: 52, height: 34 }]);
    }
  }
  t.ok(copierBetween(shared, light) !== null);
  const [expected] = copied([one], { ...region, height: 180 }, 1);
  t.ok(Buffer.from(light.slice().buffer).equals(expected.subarray(0, light.byteLength)));
  t.end();
});
