/** The operations of two-colour groups, for every lattice. */
import t from "tap";
import { compose } from "../../engine/geometry/affine.ts";
import { exchanges, isometriesOfDesign } from "../../engine/geometry/counterchange.ts";
import { COUNTERCHANGES, GROUP_LATTICES, GROUP_NAMES } from "../../engine/recipe/index.ts";

const REPEATS = ["straight", "half_drop", "brick"] as const;
const RATIOS = [1, 0.3, 1.7];

function* cases() {
  for (const group of GROUP_NAMES) {
    const kind = GROUP_LATTICES[group];
    const isFree = kind === "oblique" || kind === "rectangular";
    for (const counterchange of COUNTERCHANGES[group]) {
      for (const ratio of isFree ? RATIOS : [1]) {
        for (const repeat of kind === "oblique" ? REPEATS : REPEATS.slice(0, 1)) {
          const design = { group, counterchange, lattice: { ratio, repeat } };
          yield { name: JSON.stringify(design), isometries: isometriesOfDesign(design) };
        }
      }
    }
  }
}

t.test("signs are multiplied, and half of the operations exchange the colours", async (t) => {
  for (const { name, isometries } of cases()) {
    const { cosets, exchanging = [] } = isometries;
    t.equal(exchanging.filter(Boolean).length * 2, cosets.length, name);
    const wrong = cosets.flatMap((one, i) =>
      cosets.filter(
        (other, j) =>
          exchanges(isometries, compose(one, other)) !== (exchanging[i] !== exchanging[j]),
      ),
    );
    t.same(wrong, [], name);
  }
});

t.test("the period is the smallest upright one of the translations that are left", async (t) => {
  for (const { name, isometries } of cases()) {
    const {
      basis: [a, b],
      period: { width, height },
    } = isometries;
    const area = a.x * b.y - a.y * b.x;
    const repeats = (x: number, y: number) =>
      [(x * b.y - y * b.x) / area, (a.x * y - a.y * x) / area].every(
        (times) => Math.abs(times - Math.round(times)) < 1e-9,
      );
    t.ok(repeats(width, 0) && repeats(0, height), name);
    t.notOk(repeats(width / 2, 0) || repeats(0, height / 2), name);
  }
});
