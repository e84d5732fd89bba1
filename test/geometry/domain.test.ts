import t from "tap";
import { apply, compose, translation } from "../../engine/geometry/affine.ts";
import { domainOf, foldingElement, valueAt } from "../../engine/geometry/domain.ts";
import { isometriesOf } from "../../engine/geometry/isometries.ts";
import { type Piece, unfold } from "../../engine/geometry/unfold.ts";
import { GROUP_NAMES, type Lattice } from "../../engine/recipe/index.ts";
import { sequence } from "../helpers/sequence.ts";

const LATTICES: Lattice[] = [
  { ratio: 1, repeat: "straight" },
  { ratio: 1.7, repeat: "half_drop" },
  { ratio: 0.3, repeat: "brick" },
];

for (const lattice of LATTICES) {
  for (const name of GROUP_NAMES) {
    const title = `${name}, ratio ${lattice.ratio}, ${lattice.repeat}`;
    const isometries = isometriesOf(name, lattice);
    const domain = domainOf(isometries);
    const random = sequence(17);

    t.test(`${title}: the domain has the area of the cell divided by the order`, async (t) => {
      const [a, b] = isometries.basis;
      const cell = Math.abs(a.x * b.y - a.y * b.x);
      const area = domain.corners.reduce((sum, p, i) => {
        const q = domain.corners[(i + 1) % domain.corners.length];
        return sum + (p.x * q.y - q.x * p.y) / 2;
      }, 0);
      t.ok(Math.abs(area * isometries.cosets.length - cell) < 1e-9);
    });

    t.test(`${title}: points of one orbit fold to one point of the domain`, async (t) => {
      for (let n = 0; n < 40; n++) {
        const p = { x: random() * 9 - 4, y: random() * 9 - 4 };
        const coset = isometries.cosets[n % isometries.cosets.length];
        const [a, b] = isometries.basis;
        const shift = translation((n % 5) * a.x - (n % 3) * b.x, (n % 5) * a.y - (n % 3) * b.y);
        const q = apply(compose(shift, coset), p);
        const folded = apply(foldingElement(domain, p), p);
        const other = apply(foldingElement(domain, q), q);
        t.ok(Math.hypot(folded.x - other.x, folded.y - other.y) < 1e-7);
        const local = { x: folded.x - domain.centre.x, y: folded.y - domain.centre.y };
        t.ok(domain.edges.every((edge) => valueAt(edge.excess, local) > -1e-7));
      }
    });

    t.test(
      `${title}: a line is cut into pieces that fold every pixel as it folds alone`,
      async (t) => {
        for (let n = 0; n < 6; n++) {
          const line = {
            start: { x: random() * 4 - 2, y: random() * 4 - 2 },
            step: { x: (random() - 0.5) / 20, y: n < 2 ? 0 : (random() - 0.5) / 20 },
            count: 150,
          };
          const pieces: Piece[] = [];
          unfold(domain, line, (piece) => pieces.push({ ...piece }));
          pieces.sort((p, q) => p.first - q.first);
          let next = 0;
          for (const piece of pieces) {
            t.equal(piece.first, next);
            next += piece.count;
            for (let k = 0; k < piece.count; k++) {
              const i = piece.first + k;
              const p = { x: line.start.x + i * line.step.x, y: line.start.y + i * line.step.y };
              const alone = apply(foldingElement(domain, p), p);
              const x = piece.x + k * piece.stepX + domain.centre.x - alone.x;
              const y = piece.y + k * piece.stepY + domain.centre.y - alone.y;
              if (Math.hypot(x, y) > 1e-7) t.fail(`pixel ${i} folds elsewhere`);
            }
          }
          t.equal(next, line.count);
        }
      },
    );
  }
}

t.test("only reflections need no blending at a domain's edge", async (t) => {
  const straight: Lattice = { ratio: 1, repeat: "straight" };
  const kaleidoscopes = GROUP_NAMES.filter(
    (name) => domainOf(isometriesOf(name, straight)).joined.length === 0,
  );
  t.strictSame(kaleidoscopes, ["pmm", "p4m", "p3m1", "p6m"]);
});
