import t from "tap";
import { determinant } from "../../engine/geometry/affine.ts";
import { tilings } from "../../engine/tilings/catalogue.ts";
import { boxAt, isStrictlyIn } from "./patches.ts";

const PHI = (1 + Math.sqrt(5)) / 2;

/** The tiles whose centroids lie in a square: those that merely meet it would favour large ones. */
const tilesOf = (id: keyof typeof tilings, size: number, n = 7) => {
  const box = boxAt(1000, -3000, size, size);
  return tilings[id]({ seed: 21, n })
    .tilesIn(box)
    .filter(({ placement: { e, f } }) => isStrictlyIn({ x: e, y: f }, box));
};

/** How often each class occurs relative to the first one. */
function ratiosOf(id: keyof typeof tilings, size: number, n?: number): number[] {
  const counts: number[] = [];
  for (const tile of tilesOf(id, size, n)) counts[tile.class] = (counts[tile.class] ?? 0) + 1;
  return counts.map((count) => count / counts[0]);
}

t.test("thick rhombs come φ times as often as thin ones, kites as darts", async (t) => {
  for (const id of ["penrose_p3", "penrose_p2"] as const) {
    t.ok(Math.abs(ratiosOf(id, 150)[1] - 1 / PHI) < 0.004, id);
  }
});

t.test("rhombs come √2 times as often as squares in Ammann and Beenker's tiling", async (t) => {
  t.ok(Math.abs(ratiosOf("ammann_beenker", 400)[1] - Math.SQRT1_2) < 0.004);
});

t.test("classes of a multigrid come as often as lines cross at their angle", async (t) => {
  for (const n of [5, 6, 7, 8, 9, 10, 11, 12, 13]) {
    const crossings = Array.from({ length: Math.floor(n / 2) }, (_, k) => {
      const pairs = 2 * (k + 1) === n ? n / 2 : n;
      return pairs * Math.sin((Math.PI * (k + 1)) / n);
    });
    const ratios = ratiosOf("multigrid", 150, n);
    t.equal(ratios.length, crossings.length);
    ratios.forEach((ratio, k) => {
      const wanted = crossings[k] / crossings[0];
      t.ok(Math.abs(ratio / wanted - 1) < 0.03, `n = ${n}, k = ${k + 1}`);
    });
  }
});

t.test("one hat in 1 + φ⁴ is mirrored", async (t) => {
  const hats = tilesOf("hat", 900);
  const mirrored = hats.filter(({ placement }) => determinant(placement) < 0).length;
  t.ok(Math.abs((mirrored / hats.length) * (1 + PHI ** 4) - 1) < 0.005);
});

t.test("all spectres have one hand, and the turned ones of mystics are as many as Γ", async (t) => {
  const spectres = tilesOf("spectre", 600);
  t.ok(spectres.every(({ placement }) => determinant(placement) > 0));
  const twelfths = spectres.map(({ placement: { a, c } }) =>
    Math.round((Math.atan2(c, a) * 6) / Math.PI),
  );
  const odd = twelfths.filter((turn) => turn % 2 !== 0).length / spectres.length;
  // One cluster in 4 + √15 is Γ, which is the pair of spectres that differ by a twelfth of a turn.
  const expected = 1 / (5 + Math.sqrt(15));
  t.ok(Math.abs(Math.min(odd, 1 - odd) / expected - 1) < 0.01);
});
