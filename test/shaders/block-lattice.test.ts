import t from "tap";
import { apply, linear, type Point } from "../../engine/geometry/affine.ts";
import { isometriesOf } from "../../engine/geometry/isometries.ts";
import { GROUP_NAMES, type Lattice } from "../../engine/recipe/index.ts";
import {
  type Basis,
  screenLattice,
  tiledLattice,
} from "../../shaders/effects/torus/block-lattice.ts";

const LATTICES: Lattice[] = [0.25, 0.3, 0.8, 1, 1.7, Math.sqrt(3), 4].flatMap((ratio) =>
  (["straight", "half_drop", "brick"] as const).map((repeat) => ({ ratio, repeat })),
);

/** Distance of a vector from the nearest point of the lattice, in lattice distances. */
function offLattice([a, b]: Basis, p: Point): number {
  const area = a.x * b.y - a.y * b.x;
  const u = (p.x * b.y - p.y * b.x) / area;
  const v = (a.x * p.y - a.y * p.x) / area;
  return Math.max(Math.abs(u - Math.round(u)), Math.abs(v - Math.round(v)));
}

for (const [name, divide] of Object.entries({ tiledLattice, screenLattice })) {
  t.test(`${name}: every group maps blocks onto blocks`, async (t) => {
    for (const group of GROUP_NAMES) {
      for (const lattice of LATTICES) {
        const { cosets, basis } = isometriesOf(group, lattice);
        for (let count = 2; count < 30; count++) {
          const blocks = divide(basis, count);
          const worst = Math.max(
            ...basis.map((vector) => offLattice(blocks, vector)),
            ...cosets.flatMap((coset) => [
              offLattice(blocks, { x: coset.e, y: coset.f }),
              ...blocks.map((vector) => offLattice(blocks, apply(linear(coset), vector))),
            ]),
          );
          if (worst > 1e-6) t.fail(`${group}, ${JSON.stringify(lattice)}, ${count} blocks`);
        }
      }
    }
    t.pass("looked at all of them");
  });

  t.test(`${name}: the two vectors are reduced and at most at right angles`, async (t) => {
    for (const lattice of LATTICES) {
      for (const group of ["p1", "cmm", "p6", "p4"] as const) {
        const [a, b] = divide(isometriesOf(group, lattice).basis, 12);
        const product = a.x * b.x + a.y * b.y;
        const square = a.x * a.x + a.y * a.y;
        t.ok(product > -1e-9 && product < square * (0.5 + 1e-6), `${group} ${lattice.ratio}`);
      }
    }
  });
}

t.test("blocks have about the requested size and are compact", async (t) => {
  for (const divide of [tiledLattice, screenLattice]) {
    for (const lattice of LATTICES) {
      for (const group of ["p1", "pgg", "cmm", "p6", "p4"] as const) {
        const [a, b] = divide(isometriesOf(group, lattice).basis, 40);
        const short = Math.hypot(a.x, a.y) * 40;
        const long = Math.hypot(b.x, b.y) * 40;
        t.ok(short > 0.8 && long < 1.3, `${group} ${JSON.stringify(lattice)}: ${short}, ${long}`);
      }
    }
  }
});
