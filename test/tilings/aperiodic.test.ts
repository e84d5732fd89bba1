import t from "tap";
import { IDENTITY, type Point } from "../../engine/geometry/affine.ts";
import type { PlacedTile, Tiling } from "../../engine/tilings/tiling.ts";
import { boxAt, CASES, placementKey, turnKey } from "./patches.ts";

/** The shifts, shorter than half of `radius`, under which all tiles about the origin repeat. */
function repeatsOf(tiling: Tiling, radius: number): Point[] {
  const tiles = tiling.tilesIn(boxAt(-2 * radius, -2 * radius, 4 * radius, 4 * radius));
  const known = new Set(tiles.map(placementKey));
  const from = ({ placement: { e, f } }: PlacedTile) => Math.hypot(e, f);
  const near = tiles.filter((tile) => from(tile) < radius);
  const middle = near.reduce((best, tile) => (from(tile) < from(best) ? tile : best));
  return near
    .filter((tile) => tile !== middle && tile.class === middle.class)
    .filter((tile) => turnKey(tile.placement) === turnKey(middle.placement))
    .map(({ placement: { e, f } }) => ({ x: e - middle.placement.e, y: f - middle.placement.f }))
    .filter(({ x, y }) => Math.hypot(x, y) < radius / 2)
    .filter(({ x, y }) =>
      near.every(({ class: kind, placement }) => {
        const placed = { ...placement, e: placement.e + x, f: placement.f + y };
        return known.has(placementKey({ class: kind, placement: placed }));
      }),
    );
}

const RADIUS = 40;

for (const { title, tilingOf } of CASES) {
  t.test(`${title}: no shift repeats a patch`, async (t) => {
    for (const seed of [1, 2, 3]) t.strictSame(repeatsOf(tilingOf(seed), RADIUS), []);
  });
}

t.test("finds the periods of a periodic tiling", async (t) => {
  const corners = [
    { x: -0.5, y: -0.5 },
    { x: 0.5, y: -0.5 },
    { x: 0.5, y: 0.5 },
    { x: -0.5, y: 0.5 },
  ];
  // Squares in columns, every ninth column marked by a class of its own.
  const squares: Tiling = {
    classes: [
      { id: "plain", corners },
      { id: "marked", corners },
    ],
    tilesIn: ({ left, top, right, bottom }) => {
      const tiles: PlacedTile[] = [];
      for (let x = Math.round(left); x <= right; x++) {
        for (let y = Math.round(top); y <= bottom; y++) {
          tiles.push({ class: x % 9 === 0 ? 1 : 0, placement: { ...IDENTITY, e: x, f: y } });
        }
      }
      return tiles;
    },
  };
  const repeats = repeatsOf(squares, RADIUS);
  t.ok(repeats.length > 100);
  t.ok(repeats.every(({ x }) => x % 9 === 0));
});
