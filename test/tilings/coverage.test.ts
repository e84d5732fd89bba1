import t from "tap";
import { determinant, type Point } from "../../engine/geometry/affine.ts";
import { contains } from "../../engine/tilings/polygon.ts";
import type { Box } from "../../engine/tilings/tiling.ts";
import { REACH } from "../../engine/tilings/tiling.ts";
import { sequence } from "../helpers/sequence.ts";
import {
  areaWithin,
  boxAt,
  CASES,
  distanceToEdge,
  edgesOf,
  isStrictlyIn,
  keyOf,
  outlinesIn,
  placementKey,
} from "./patches.ts";

const SEEDS = [1, 2, 77, 2 ** 40 + 3];

const BOXES: readonly (readonly [string, Box])[] = [
  ["at the origin", boxAt(-9, -7, 21, 13)],
  ["in the far corner to the lower right", boxAt(REACH - 18, REACH - 17, 18, 17)],
  ["in the far corner to the upper left", boxAt(-REACH, -REACH, 15, 16)],
  ["in the far corner to the upper right", boxAt(REACH - 12, -REACH, 12, 12)],
  ["in the far corner to the lower left", boxAt(-REACH, REACH - 12, 12, 12)],
  ["a thin band", boxAt(-61_234.5, 43_210.7, 300, 0.3)],
  ["a thin column", boxAt(71_234.5, -3_210.7, 0.2, 200)],
  ["smaller than a tile", boxAt(12.3, -4.5, 1e-3, 1e-3)],
];

for (const { title, tilingOf } of CASES) {
  t.test(`${title}: the tiles of a box cover it once`, async (t) => {
    for (const seed of SEEDS) {
      const tiling = tilingOf(seed);
      for (const [where, box] of BOXES) {
        const area = (box.right - box.left) * (box.bottom - box.top);
        const covered = outlinesIn(tiling, box).reduce(
          (total, { corners }) => total + areaWithin(corners, box),
          0,
        );
        t.ok(Math.abs(covered / area - 1) < (area < 1 ? 1e-6 : 1e-9), `seed ${seed}, ${where}`);
      }
    }
  });

  t.test(`${title}: a point off the edges lies in one tile`, async (t) => {
    const random = sequence(5);
    for (const box of [boxAt(-10, -10, 20, 20), boxAt(99_000, -54_321, 20, 20)]) {
      const outlines = outlinesIn(tilingOf(3), box);
      let tried = 0;
      for (let k = 0; k < 400; k++) {
        const p = { x: box.left + 20 * random(), y: box.top + 20 * random() };
        const near = outlines.filter(({ corners }) =>
          edgesOf(corners).some((edge) => distanceToEdge(p, edge) < 1e-6),
        );
        if (near.length > 0) continue;
        tried++;
        const holding = outlines.filter(({ corners }) => contains(corners, p));
        if (holding.length !== 1) t.fail(`${holding.length} tiles hold ${p.x}, ${p.y}`);
      }
      t.ok(tried > 350);
    }
  });

  t.test(`${title}: each edge within a box belongs to two tiles, one on each side`, async (t) => {
    for (const box of [boxAt(-15, -15, 30, 30), boxAt(-REACH, 31_234, 30, 30)]) {
      const edges = new Map<string, number>();
      for (const { tile, corners } of outlinesIn(tilingOf(9), box)) {
        const around = determinant(tile.placement) > 0 ? corners : corners.toReversed();
        for (const [p, q] of edgesOf(around)) {
          if (!isStrictlyIn(p, box) || !isStrictlyIn(q, box)) continue;
          const key = `${keyOf(p)} ${keyOf(q)}`;
          edges.set(key, (edges.get(key) ?? 0) + 1);
        }
      }
      t.ok(edges.size > 50);
      for (const [key, count] of edges) {
        const [from, to] = key.split(" ");
        if (count !== 1 || edges.get(`${to} ${from}`) !== 1) t.fail(`edge ${key}`);
      }
    }
  });

  t.test(`${title}: corners that meet agree to 1e-9 at the rim of the plane`, async (t) => {
    const corners = new Map<string, Point>();
    let shared = 0;
    for (const outline of outlinesIn(tilingOf(4), boxAt(REACH - 30, REACH - 30, 30, 30))) {
      for (const corner of outline.corners) {
        const first = corners.get(keyOf(corner));
        corners.set(keyOf(corner), first ?? corner);
        if (first === undefined) continue;
        shared++;
        const apart = Math.hypot(first.x - corner.x, first.y - corner.y);
        if (!(apart < 1e-9)) t.fail(`${apart} apart`);
      }
    }
    t.ok(shared > 100);
  });

  t.test(`${title}: bands of a box hold the tiles of the whole, each in its place`, async (t) => {
    for (const [x, y] of [
      [-20, -20],
      [-88_000.3, 12_345.6],
    ] as const) {
      const tiling = tilingOf(11);
      const whole = tiling.tilesIn(boxAt(x, y, 40, 40));
      const bands = Array.from({ length: 16 }, (_, k) => boxAt(x, y + 2.5 * k, 40, 2.5));
      const parts = bands.flatMap((band) => tiling.tilesIn(band));
      const sorted = (tiles: typeof whole) =>
        [...new Set(tiles.map((tile) => JSON.stringify(tile)))].sort();
      t.equal(new Set(whole.map(placementKey)).size, whole.length, "no tile comes twice");
      t.strictSame(sorted(parts), sorted(whole));
    }
  });

  t.test(`${title}: seed and box determine the tiles`, async (t) => {
    const box = boxAt(-8, -8, 16, 16);
    t.strictSame(tilingOf(6).tilesIn(box), tilingOf(6).tilesIn(box));
    const tiling = tilingOf(6);
    tiling.tilesIn(boxAt(500, 500, 30, 30));
    t.strictSame(tiling.tilesIn(box), tilingOf(6).tilesIn(box), "whatever was asked before");
    const places = SEEDS.map((seed) =>
      tilingOf(seed).tilesIn(box).map(placementKey).sort().join("\n"),
    );
    t.equal(new Set(places).size, SEEDS.length);
  });

  t.test(
    `${title}: the cost of a box depends on its area and perimeter, not its position`,
    async (t) => {
      const visits = (box: Box) => {
        let count = 0;
        const counted = {
          ...box,
          // Each tile or patch is compared with the box.
          get left() {
            count++;
            return box.left;
          },
        };
        const tiles = tilingOf(8).tilesIn(counted).length;
        return count / (tiles + 20);
      };
      for (const [x, y] of [
        [0, 0],
        [60_000, 98_000],
      ] as const) {
        t.ok(visits(boxAt(x, y, 2000, 2)) < 16, "a thin band");
        t.ok(visits(boxAt(x, y, 100, 100)) < 7, "a square");
      }
    },
  );

  t.test(`${title}: rejects a box that is out of reach, not finite or inverted`, async (t) => {
    for (const box of [
      boxAt(REACH, 0, 1, 1),
      boxAt(0, -2e5, 1, 1),
      boxAt(0, Number.NaN, 1, 1),
      boxAt(5, 5, -1, 1),
    ]) {
      t.throws(() => tilingOf(1).tilesIn(box), RangeError);
    }
  });
}
