import t from "tap";
import { apply } from "../../engine/geometry/affine.ts";
import { discsOf } from "../../engine/geometry/discs.ts";
import { domainOf } from "../../engine/geometry/domain.ts";
import { gridOperations } from "../../engine/geometry/grid.ts";
import { isometriesOf } from "../../engine/geometry/isometries.ts";
import { squareTile } from "../../engine/geometry/repeating-tile.ts";
import { GROUP_NAMES, type Lattice } from "../../engine/recipe/index.ts";

const LATTICES: Lattice[] = [
  { ratio: 1, repeat: "straight" },
  { ratio: 1.7, repeat: "half_drop" },
];
const SIZE = 240;

for (const lattice of LATTICES) {
  for (const name of GROUP_NAMES) {
    const title = `${name}, ratio ${lattice.ratio}`;
    const isometries = isometriesOf(name, lattice);
    const { tile } = squareTile(isometries, SIZE, "2x1");
    const discs = discsOf(domainOf(isometries), tile);
    const { a: across, d: down } = tile.toPlane;

    /** Distance on the plane along the shortest path on the tile. */
    const apart = (p: { x: number; y: number }, q: { x: number; y: number }) => {
      const x = Math.abs(p.x - q.x);
      const y = Math.abs(p.y - q.y);
      return Math.hypot(Math.min(x, SIZE - x) * across, Math.min(y, SIZE - y) * down);
    };

    t.test(`${title}: there is one disc in each copy of the domain`, async (t) => {
      const [a, b] = isometries.basis;
      const cell = Math.abs(a.x * b.y - a.y * b.x);
      const cells = (tile.region.width * tile.region.height) / cell;
      t.equal(discs.length, Math.round(cells) * isometries.cosets.length);
      t.ok(discs.every(({ x, y }) => x >= 0 && x < SIZE && y >= 0 && y < SIZE));
      const mirrored = discs.filter((disc) => disc.mirrored).length;
      const turnsOver = isometries.cosets.some((m) => m.a * m.d - m.b * m.c < 0);
      t.equal(mirrored, turnsOver ? discs.length / 2 : 0);
    });

    t.test(`${title}: discs touch and do not overlap`, async (t) => {
      const [first] = discs;
      const diameter = 2 * (first?.radius ?? 0) * Math.max(across, down);
      // A single disc touches its own copies in the neighbouring tiles.
      let nearest = Math.min(SIZE * across, SIZE * down);
      for (const one of discs) {
        for (const other of discs)
          if (one !== other) nearest = Math.min(nearest, apart(one, other));
      }
      t.ok(Math.abs(nearest - diameter) < 1e-6, `${nearest} and ${diameter}`);
    });

    t.test(`${title}: the group maps discs onto discs`, async (t) => {
      for (const operation of gridOperations(isometries, tile)) {
        const turnsOver = operation.a * operation.d - operation.b * operation.c < 0;
        const mapped = discs.every((disc) => {
          const moved = apply(operation, { x: disc.x - 0.5, y: disc.y - 0.5 });
          const image = { x: mod(moved.x + 0.5), y: mod(moved.y + 0.5) };
          const there = discs.find((other) => apart(other, image) < 1e-6);
          return there?.mirrored === (disc.mirrored !== turnsOver);
        });
        t.ok(mapped, Object.values(operation).join(" "));
      }
    });
  }
}

const mod = (value: number) => ((value % SIZE) + SIZE) % SIZE;
