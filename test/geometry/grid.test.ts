import t from "tap";
import { asymmetricUnit, gridOperations, type PixelOperation } from "../../engine/geometry/grid.ts";
import { isometriesOf } from "../../engine/geometry/isometries.ts";
import { copyToOrbits, valuesInRuns } from "../../engine/geometry/orbits.ts";
import { cellTile, squareTile } from "../../engine/geometry/repeating-tile.ts";
import { GROUP_NAMES, type GroupName } from "../../engine/recipe/index.ts";
import type { Size } from "../../engine/size.ts";
import { hash } from "../helpers/pictures.ts";

const SIZES = [16, 18, 21, 56];

/** The number of operations that a square grid of this size keeps, from the group's table. */
const ORDERS: Partial<Record<GroupName, number>> = { p1: 1, p2: 2, p4: 4, p4m: 8, p4g: 8, cmm: 8 };

for (const name of GROUP_NAMES) {
  const square = isometriesOf(name, { ratio: 1, repeat: "straight" });
  const oblong = isometriesOf(name, { ratio: 1.6, repeat: "straight" });
  const cases = [
    ...SIZES.map((size) => ({ isometries: square, ...squareTile(square, size, "7x4") })),
    { isometries: square, ...cellTile(square, 30) },
    { isometries: oblong, ...cellTile(oblong, 32) },
  ];
  for (const { isometries, tile } of cases) {
    const { width, height } = tile;
    const operations = gridOperations(isometries, tile);

    t.test(`${name}, ${width} × ${height}: a unit and its copies cover it evenly`, async (t) => {
      const unit = asymmetricUnit(operations, tile);
      const pixels = unit.flatMap(({ y, from, to }) =>
        Array.from({ length: to - from }, (_, k) => y * width + from + k),
      );
      t.equal(new Set(pixels).size, pixels.length, "no pixel is evaluated twice");
      const expected = orbitNumbers(operations, tile);
      const picture = copyToOrbits(
        Float32Array.from(pixels, (pixel) => expected[pixel]),
        unit,
        operations,
        tile,
      );
      t.strictSame(picture, expected);
      // Only pixels that an operation keeps in their row may occur more than once.
      const orbits = new Set(expected).size;
      t.ok(
        pixels.length <= orbits + width + height,
        `${pixels.length} pixels for ${orbits} orbits`,
      );
    });
  }
}

for (const name of GROUP_NAMES) {
  t.test(`${name}: copying a unit makes any picture symmetric bit for bit`, async (t) => {
    const size = 56;
    const isometries = isometriesOf(name, { ratio: 1, repeat: "straight" });
    const { tile } = squareTile(isometries, size, "7x4");
    const operations = gridOperations(isometries, tile);
    const unit = asymmetricUnit(operations, tile);
    const any = Float32Array.from({ length: size * size }, (_, k) => Math.floor(1e6 * hash(k, 5)));
    const values = valuesInRuns(any, unit, operations, tile);
    // What was in the memory before is seen nowhere.
    const used = (length: number) => new Float32Array(length).fill(Number.NaN);
    const picture = copyToOrbits(values, unit, operations, tile, used);
    const orbits = orbitNumbers(operations, tile);
    const odd = picture.filter((value, pixel) => value !== picture[orbits[pixel]]);
    t.equal(odd.length, 0);
  });
}

t.test("a suitable grid keeps the whole group", async (t) => {
  for (const [name, order] of Object.entries(ORDERS)) {
    const isometries = isometriesOf(name as GroupName, { ratio: 1, repeat: "straight" });
    const { tile } = squareTile(isometries, 64, "7x4");
    t.equal(gridOperations(isometries, tile).length, order, name);
  }
});

t.test("a strained hexagonal tile keeps its rectangular subgroup", async (t) => {
  const expected = { p3: 1, p3m1: 2, p31m: 2, p6: 2, p6m: 4 };
  for (const [name, order] of Object.entries(expected)) {
    const isometries = isometriesOf(name as GroupName, { ratio: 1, repeat: "straight" });
    // 1009 is a prime: no lattice translation but the tile's own is on the grid.
    const { tile } = squareTile(isometries, 1009, "7x4");
    t.equal(gridOperations(isometries, tile).length, order, name);
  }
});

/** The number of each pixel's orbit, found by following the operations. */
function orbitNumbers(
  operations: readonly PixelOperation[],
  { width, height }: Size,
): Float32Array {
  const numbers = new Float32Array(width * height).fill(-1);
  for (let pixel = 0; pixel < numbers.length; pixel++) {
    if (numbers[pixel] !== -1) continue;
    const x = pixel % width;
    const y = (pixel - x) / width;
    for (const { a, b, c, d, e, f } of operations) {
      const column = (((a * x + b * y + e) % width) + width) % width;
      const row = (((c * x + d * y + f) % height) + height) % height;
      numbers[row * width + column] = pixel;
    }
  }
  return numbers;
}
