import t from "tap";
import type { Point } from "../../../engine/geometry/affine.ts";
import { withoutSpecks } from "../../../engine/vector/specks.ts";
import { type Bitmap, outlineLength, traceOutlines } from "../../../engine/vector/trace.ts";
import { areasWithUnderlap, type InkMap } from "../../../engine/vector/underlap.ts";
import { hash } from "../../helpers/pictures.ts";
import { seed } from "../../helpers/random-subset.ts";

const SIZES = [
  [1, 1],
  [1, 7],
  [9, 2],
  [40, 31],
] as const;

const noise = (width: number, height: number, count: number, salt: number) =>
  Uint8Array.from({ length: width * height }, (_, at) => Math.floor(count * hash(seed + salt, at)));

/** Whether a point is inside by the even-odd rule. */
function isInside(outlines: readonly (readonly Point[])[], x: number, y: number): boolean {
  let crossings = 0;
  for (const outline of outlines) {
    outline.forEach((a, n) => {
      const b = outline[(n + 1) % outline.length];
      if (a.y > y === b.y > y) return;
      if (x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)) crossings++;
    });
  }
  return crossings % 2 === 1;
}

t.test("outlines hold the middles of a bitmap's pixels and no others", async (t) => {
  for (const [width, height] of SIZES) {
    const bitmap = { width, height, pixels: noise(width, height, 2, width) };
    const outlines = [...traceOutlines(bitmap)];
    t.equal(outlineLength(bitmap), outlines.flat().length);
    // Off the middle, where no edge of an outline has a corner.
    const traced = bitmap.pixels.map((_, at) => {
      const [x, y] = [(at % width) + 0.5, Math.floor(at / width) + 0.501];
      return isInside(outlines, x, y) ? 1 : 0;
    });
    t.same(traced, bitmap.pixels, `${width} × ${height}`);
  }
});

t.test("pixels that touch at a corner have one outline", async (t) => {
  const pixels = Uint8Array.from([1, 0, 0, 1]);
  t.equal([...traceOutlines({ width: 2, height: 2, pixels })].length, 1);
  const ring = Uint8Array.from([1, 1, 1, 1, 0, 1, 1, 1, 1]);
  t.equal(
    [...traceOutlines({ width: 3, height: 3, pixels: ring })].length,
    2,
    "a hole has its own",
  );
});

/** The ink on top where the areas are painted in order; 0 for none. */
function painted(areas: readonly Bitmap[], length: number): Uint8Array {
  const top = new Uint8Array(length);
  areas.forEach(({ pixels }, n) => {
    pixels.forEach((isSet, at) => {
      if (isSet) top[at] = n + 1;
    });
  });
  return top;
}

t.test("inks painted one over the other show the picture", async (t) => {
  for (const [width, height] of SIZES) {
    const map: InkMap = { width, height, inks: noise(width, height, 6, 7 * height) };
    const areas = [...areasWithUnderlap(map, 5)];
    t.equal(areas.length, 5);
    t.same(painted(areas, map.inks.length), map.inks);
  }
});

t.test("an ink extends two pixels below another, but not beside a third", async (t) => {
  const inks = Uint8Array.from([1, 1, 1, 2, 2, 2, 2, 2, 0]);
  const [below, above] = areasWithUnderlap({ width: 9, height: 1, inks }, 2);
  t.same([...below.pixels], [1, 1, 1, 1, 1, 0, 0, 0, 0]);
  t.same([...above.pixels], [0, 0, 0, 1, 1, 1, 1, 1, 0]);
  const thin = Uint8Array.from([2, 2, 3, 3, 1, 1]);
  const [lowest, middle] = areasWithUnderlap({ width: 6, height: 1, inks: thin }, 3);
  t.same([...lowest.pixels], [0, 0, 1, 1, 1, 1]);
  t.same([...middle.pixels], [1, 1, 1, 0, 0, 0], "its edge would show beside the lowest");
});

t.test("small regions take the ink around them, across the tile's edges", async (t) => {
  const [width, height] = [12, 10];
  const inks = new Uint8Array(width * height).fill(1);
  const set = (ink: number, ...places: readonly (readonly [number, number])[]) => {
    for (const [x, y] of places) inks[y * width + x] = ink;
  };
  set(2, [5, 5], [6, 5]);
  // Four pixels in the tile's corners are one region.
  set(3, [0, 0], [11, 0], [0, 9], [11, 9]);
  const cleared = (least: number) => withoutSpecks({ width, height, inks }, least).inks;
  t.same(cleared(2), inks);
  t.notOk(cleared(3).includes(2));
  t.ok(cleared(4).includes(3));
  t.notOk(cleared(5).includes(3));
  const plain = new Uint8Array(4).fill(2);
  const { inks: kept } = withoutSpecks({ width: 2, height: 2, inks: plain }, 12);
  t.same(kept, plain, "there is no other ink");
});

t.test("no small region is left of noise, however its regions lie", async (t) => {
  const [width, height] = [64, 48];
  const board = Uint8Array.from({ length: width * height }, (_, at) => {
    return 1 + (((at % width) + Math.floor(at / width)) % 2);
  });
  for (const inks of [board, noise(width, height, 4, 3), noise(width, height, 16, 4)]) {
    const { inks: cleared } = withoutSpecks({ width, height, inks }, 12);
    const twice = withoutSpecks({ width, height, inks: cleared }, 12);
    t.same(twice.inks, cleared);
  }
});
