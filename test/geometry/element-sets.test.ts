import t from "tap";
import { domainOf, valueAt } from "../../engine/geometry/domain.ts";
import { indicesOf } from "../../engine/geometry/element-sets.ts";
import { isometriesOf } from "../../engine/geometry/isometries.ts";
import { type WindowElement, windowOf } from "../../engine/geometry/window.ts";
import { GROUP_NAMES, type Lattice } from "../../engine/recipe/index.ts";
import { sequence } from "../helpers/sequence.ts";
import { visitPixels } from "../helpers/visit-pixels.ts";

const LATTICES: Lattice[] = [
  { ratio: 1, repeat: "straight" },
  { ratio: 0.3, repeat: "brick" },
];

/** Weights are this far from 0 where they are compared: next to it rounding decides. */
const TINY = 1e-9;

t.test("a set is read back, up to the largest window's", (t) => {
  for (const indices of [[0], [0, 1, 2], [3, 31, 32], [0, 52]]) {
    const set = indices.reduce((sum, index) => sum + 2 ** index, 0);
    t.strictSame(indicesOf(set), indices);
  }
  t.strictSame(indicesOf(2 ** 53 - 1).length, 53);
  t.end();
});

for (const method of ["blend", "average"] as const) {
  t.test(`${method}: every pixel of a line has the elements that weigh anything there`, (t) => {
    const random = sequence(11);
    for (const lattice of LATTICES) {
      for (const group of GROUP_NAMES) {
        const domain = domainOf(isometriesOf(group, lattice));
        const width = 0.05 + 0.4 * random();
        const window = windowOf(domain, { method, width, preserve_contrast: true });
        /** How much an element weighs at least, as the least of its factors. */
        const depthOf = ({ factors }: WindowElement, x: number, y: number) =>
          Math.min(...factors.map(({ limit, f }) => limit - Math.abs(valueAt(f, { x, y }))));
        const line = {
          start: { x: random() * 4 - 2, y: random() * 4 - 2 },
          step: { x: (random() - 0.5) / 20, y: random() < 0.3 ? 0 : (random() - 0.5) / 20 },
          count: 200,
        };
        let seen = 0;
        let wrong = 0;
        const unordered = visitPixels(domain, window, line, ({ x, y }, indices) => {
          seen++;
          for (const [index, element] of window.elements.entries()) {
            const depth = depthOf(element, x, y);
            if (Math.abs(depth) > TINY && depth > 0 !== indices.includes(index)) wrong++;
          }
        });
        t.equal(wrong + unordered, 0, `${group} ${lattice.repeat}`);
        t.equal(seen, line.count);
      }
    }
    t.end();
  });
}
