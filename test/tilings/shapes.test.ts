import t from "tap";
import { determinant, type Point } from "../../engine/geometry/affine.ts";
import { tilings } from "../../engine/tilings/catalogue.ts";
import { areaOf, centroidOf } from "../../engine/tilings/polygon.ts";
import type { TileClass } from "../../engine/tilings/tiling.ts";
import { boxAt, CASES, edgesOf, outlinesIn } from "./patches.ts";

const PHI = (1 + Math.sqrt(5)) / 2;

/** Edge lengths and inner angles in degrees, starting at the class's first edge and corner. */
const SHAPES: Record<string, { edges: number[]; angles: number[] }> = {
  thick: { edges: [1, 1, 1, 1], angles: [72, 108, 72, 108] },
  thin: { edges: [1, 1, 1, 1], angles: [144, 36, 144, 36] },
  kite: { edges: [1, 1 / PHI, 1 / PHI, 1], angles: [72, 72, 144, 72] },
  dart: { edges: [1, 1 / PHI, 1 / PHI, 1], angles: [72, 36, 216, 36] },
  rhomb: { edges: [1, 1, 1, 1], angles: [45, 135, 45, 135] },
  square: { edges: [1, 1, 1, 1], angles: [90, 90, 90, 90] },
  hat: {
    edges: [1, 1, 3, 3, 1, 1, 3, 3, 1, 1, 1, 1, 3, 3].map(Math.sqrt),
    angles: [90, 120, 270, 120, 90, 240, 90, 240, 90, 120, 180, 120, 270, 120],
  },
  spectre: {
    edges: Array(14).fill(1),
    angles: [90, 240, 90, 120, 270, 120, 90, 120, 270, 120, 180, 120, 90, 240],
  },
};

/** The inner angles of a polygon, in degrees. */
const anglesOf = (corners: readonly Point[]) => {
  const way = Math.sign(areaOf(corners));
  return corners.map((p, k) => {
    const before = corners.at(k - 1) as Point;
    const after = corners[(k + 1) % corners.length];
    const turn =
      Math.atan2(after.y - p.y, after.x - p.x) - Math.atan2(p.y - before.y, p.x - before.x);
    const degrees = (way * turn * 180) / Math.PI;
    return 180 - (degrees - 360 * Math.round(degrees / 360));
  });
};

const lengthsOf = (corners: readonly Point[]) =>
  edgesOf(corners).map(([p, q]) => Math.hypot(q.x - p.x, q.y - p.y));

const near = (found: readonly number[], wanted: readonly number[]) =>
  found.length === wanted.length && found.every((value, k) => Math.abs(value - wanted[k]) < 1e-9);

const shapeOf = (n: number, { id }: TileClass) => {
  if (!id.startsWith("rhomb_")) return SHAPES[id];
  const angle = (180 / n) * Number(id.slice("rhomb_".length));
  return { edges: [1, 1, 1, 1], angles: [angle, 180 - angle, angle, 180 - angle] };
};

for (const [id, tilingOf] of Object.entries(tilings)) {
  for (const n of id === "multigrid" ? [5, 6, 7, 8, 9, 10, 11, 12, 13] : [7]) {
    t.test(`${id}, n = ${n}: classes have the edges and angles they should`, async (t) => {
      const { classes } = tilingOf({ seed: 1, n });
      if (id === "multigrid") t.equal(classes.length, Math.floor(n / 2));
      for (const tileClass of classes) {
        const { edges, angles } = shapeOf(n, tileClass);
        t.ok(near(lengthsOf(tileClass.corners), edges), `${tileClass.id}: edges`);
        t.ok(near(anglesOf(tileClass.corners), angles), `${tileClass.id}: angles`);
        const { x, y } = centroidOf(tileClass.corners);
        t.ok(Math.hypot(x, y) < 1e-12, `${tileClass.id}: the frame begins at the centroid`);
      }
    });
  }
}

for (const { title, tilingOf } of CASES) {
  t.test(`${title}: tiles are placed by isometries`, async (t) => {
    const outlines = outlinesIn(tilingOf(2), boxAt(0, 0, 30, 30));
    t.ok(outlines.length > 50, `${outlines.length} tiles`);
    for (const { tile } of outlines) {
      const { a, b, c, d } = tile.placement;
      const lengths = [a * a + c * c, b * b + d * d, a * b + c * d];
      if (!near(lengths, [1, 1, 0])) t.fail(`${a} ${b} ${c} ${d}`);
      if (title !== "hat" && !(determinant(tile.placement) > 0)) t.fail("a mirrored tile");
    }
  });
}

t.test("multigrid rejects an unsupported n", async (t) => {
  for (const n of [4, 14, 6.5, Number.NaN]) {
    t.throws(() => tilings.multigrid({ seed: 1, n }), RangeError);
  }
});
