import t from "tap";
import type { Point } from "../../engine/geometry/affine.ts";
import { penroseP2Tiling } from "../../engine/tilings/penrose-p2.ts";
import { penroseP3Tiling } from "../../engine/tilings/penrose-p3.ts";
import { boxAt, edgesOf, isStrictlyIn, keyOf, type Outline, outlinesIn } from "./patches.ts";

const THICK = 0;

/**
 * The arrows of the matching rule on the four edges of a class's frame: double ones lead away from
 * the first corner; single ones lead to the third in thick rhombs and away from it in thin ones.
 */
const arrowsOf = ({ tile, corners }: Outline) =>
  edgesOf(corners).map(([p, q], k) => {
    const isDouble = k === 0 || k === 3;
    const isAlong = isDouble ? k === 0 : (k === 1) === (tile.class === THICK);
    return {
      arrow: `${isDouble ? 2 : 1} ${keyOf(isAlong ? p : q)} ${keyOf(isAlong ? q : p)}`,
      p,
      q,
    };
  });

t.test("the arrows of Penrose rhombs agree on every edge", async (t) => {
  for (const [seed, box] of [
    [1, boxAt(-40, -40, 80, 80)],
    [31, boxAt(88_888, -77_777, 80, 80)],
  ] as const) {
    const arrows = new Map<string, number>();
    for (const outline of outlinesIn(penroseP3Tiling(seed), box)) {
      for (const { arrow, p, q } of arrowsOf(outline)) {
        if (isStrictlyIn(p, box) && isStrictlyIn(q, box)) {
          arrows.set(arrow, (arrows.get(arrow) ?? 0) + 1);
        }
      }
    }
    t.ok(arrows.size > 10_000);
    t.ok([...arrows.values()].every((count) => count === 2));
  }
});

t.test("kites and darts meet in the seven ways that their matching rule allows", async (t) => {
  const box = boxAt(70_000, 80_000, 60, 60);
  const meetings = new Map<string, { point: Point; names: string[] }>();
  for (const { tile, corners } of outlinesIn(penroseP2Tiling(5), box)) {
    corners.forEach((point, k) => {
      // Both wings of a dart and both sides of a kite count as one.
      const name = `${"kd"[tile.class]}${"0121"[k]}`;
      const meeting = meetings.get(keyOf(point)) ?? { point, names: [] };
      meeting.names.push(name);
      meetings.set(keyOf(point), meeting);
    });
  }
  const kinds = new Set(
    [...meetings.values()]
      .filter(({ point }) => isStrictlyIn(point, boxAt(70_002, 80_002, 56, 56)))
      .map(({ names }) => names.sort().join(" ")),
  );
  t.strictSame([...kinds].sort(), [
    "d0 d0 d0 d0 d0",
    "d0 d0 d0 k1 k1",
    "d0 k1 k1 k1 k1",
    "d1 d1 k0 k0 k2",
    "d1 d1 k2 k2",
    "d2 k1 k1",
    "k0 k0 k0 k0 k0",
  ]);
});
