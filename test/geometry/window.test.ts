import t from "tap";
import { apply, compose, type Point, translation } from "../../engine/geometry/affine.ts";
import { type Domain, domainOf, foldingElement, valueAt } from "../../engine/geometry/domain.ts";
import { isometriesOf } from "../../engine/geometry/isometries.ts";
import { type Window, windowOf } from "../../engine/geometry/window.ts";
import { GROUP_NAMES, type Lattice, type Seam } from "../../engine/recipe/index.ts";
import { sequence } from "../helpers/sequence.ts";

const LATTICES: Lattice[] = [
  { ratio: 1, repeat: "straight" },
  { ratio: 2.6, repeat: "half_drop" },
  { ratio: 0.4, repeat: "brick" },
];

/** A picture without symmetry, as a function. */
const picture = ({ x, y }: Point) => Math.sin(3 * x + 1) + Math.cos(2 * y - x) * 0.7;

const ramp = (value: number) => {
  const u = Math.min(Math.max(value, 0), 1);
  return u * u * (3 - 2 * u);
};

/** The pattern at a point of the plane, straight from the formula. */
function pattern(domain: Domain, window: Window, p: Point): number {
  const folded = apply(foldingElement(domain, p), p);
  const local = { x: folded.x - domain.centre.x, y: folded.y - domain.centre.y };
  let sum = 0;
  let total = 0;
  for (const { element, factors } of window.elements) {
    const [first, second] = factors.map(({ limit, f }) =>
      ramp(limit - Math.abs(valueAt(f, local))),
    ) as [number, number];
    sum += first * second * picture(apply(element, local));
    total += first * second;
  }
  return sum / total;
}

for (const method of ["blend", "average"] as const) {
  for (const width of [0.03, 0.12, 0.5]) {
    const seam: Seam = { method, width, preserve_contrast: false };
    for (const lattice of LATTICES) {
      const title = `${method} ${width}, ratio ${lattice.ratio} ${lattice.repeat}`;

      t.test(`${title}: nothing jumps at the edges and corners of the domain`, async (t) => {
        for (const name of GROUP_NAMES) {
          const domain = domainOf(isometriesOf(name, lattice));
          const window = windowOf(domain, seam);
          const corners = domain.corners;
          corners.forEach((corner, i) => {
            const next = corners[(i + 1) % corners.length];
            for (const share of [0.0001, 0.2, 0.5, 0.9, 0.9999]) {
              const x = corner.x + share * (next.x - corner.x) + domain.centre.x;
              const y = corner.y + share * (next.y - corner.y) + domain.centre.y;
              const length = Math.hypot(next.x - corner.x, next.y - corner.y);
              const off = 1e-7;
              const nx = (off * (next.y - corner.y)) / length;
              const ny = (off * (corner.x - next.x)) / length;
              const jump = Math.abs(
                pattern(domain, window, { x: x + nx, y: y + ny }) -
                  pattern(domain, window, { x: x - nx, y: y - ny }),
              );
              // The steepest ramp here rises by less than 500 a cell edge.
              if (jump > 1e-4) t.fail(`${name}: edge ${i} at ${share} jumps by ${jump}`);
            }
          });
          t.pass(name);
        }
      });

      t.test(`${title}: every operation of the group leaves the pattern as it is`, async (t) => {
        const random = sequence(5);
        for (const name of GROUP_NAMES) {
          const isometries = isometriesOf(name, lattice);
          const domain = domainOf(isometries);
          const window = windowOf(domain, seam);
          const [a, b] = isometries.basis;
          for (const coset of isometries.cosets) {
            const shift = translation(2 * a.x - b.x, 2 * a.y - b.y);
            const p = { x: random() * 3, y: random() * 3 };
            const image = apply(compose(shift, coset), p);
            const difference = pattern(domain, window, p) - pattern(domain, window, image);
            if (Math.abs(difference) > 1e-6) t.fail(`${name} differs by ${difference}`);
          }
          t.pass(name);
        }
      });
    }
  }
}

t.test("nothing is mixed anywhere in the groups that reflections generate", async (t) => {
  const seam: Seam = { method: "blend", width: 0.12, preserve_contrast: true };
  for (const name of ["pmm", "p4m", "p3m1", "p6m"] as const) {
    const window = windowOf(domainOf(isometriesOf(name, LATTICES[0])), seam);
    t.equal(window.elements.length, 1, name);
    t.strictSame(window.inside, [], name);
  }
});
