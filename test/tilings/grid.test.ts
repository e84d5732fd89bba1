import t from "tap";
import { exactSines } from "../../engine/tilings/exact-sines.ts";
import { gridOffsets, OFFSET_STEPS } from "../../engine/tilings/line-grid.ts";
import { lineSides } from "../../engine/tilings/line-sides.ts";
import { sequence } from "../helpers/sequence.ts";

const ALL = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13];

t.test("exact sines agree with sines beyond float precision", async (t) => {
  for (const n of ALL) {
    const sines = exactSines(n);
    t.equal(sines.length, 2 * n);
    sines.forEach((sine, k) => {
      t.ok(Math.abs(Number(sine) / 2 ** 192 - Math.sin((k * Math.PI) / n)) < 1e-15);
    });
    // sin(a + b) + sin(a − b) = 2 sin a cos b, so its ratio to sin a is the same for all a.
    const at = (k: number) => sines[(k + 2 * n) % (2 * n)];
    for (let k = 2; k < n; k++) {
      const apart = (at(2) + at(0)) * at(k) - (at(k + 1) + at(k - 1)) * at(1);
      t.ok((apart < 0n ? -apart : apart) < 2n ** 200n);
    }
  }
});

t.test(
  "offsets are whole steps, differ by seed, and add up to 0 where that is asked",
  async (t) => {
    for (const n of ALL) {
      const offsets = gridOffsets(n, 5);
      t.equal(offsets.length, n);
      t.ok(offsets.every((x) => x >= 0 && x < 1 && Number.isInteger(x * OFFSET_STEPS)));
      t.notSame(gridOffsets(n, 6), offsets);
      t.equal(
        gridOffsets(n, 5, true).reduce((sum, x) => sum + x, 0),
        0,
      );
    }
  },
);

t.test(
  "the order of three lines is consistent, and agrees with floats if they can decide",
  async (t) => {
    for (const n of [5, 7, 12]) {
      const directions = Array.from({ length: n }, (_, j) => j);
      const offsets = gridOffsets(n, 3);
      const isPast = lineSides({ n, directions, offsets });
      const random = sequence(n);
      /** How far past line `line` of family j the crossing of the two others lies. */
      const past = (
        r: number,
        s: number,
        j: number,
        rLine: number,
        sLine: number,
        line: number,
      ) => {
        const sine = (from: number, to: number) => Math.sin(((to - from) * Math.PI) / n);
        const mr = rLine - offsets[r];
        const ms = sLine - offsets[s];
        const sum = (mr * sine(j, s) + ms * sine(r, j)) / sine(r, s);
        return sum + offsets[j] - line;
      };
      let close = 0;
      for (let k = 0; k < 60_000; k++) {
        const j = k % 3 === 0 ? 0 : 4;
        const [r, s] = j === 0 ? [1, 3] : [0, 2];
        const rLine = Math.floor((random() - 0.5) * 1e5);
        const sLine = Math.floor((random() - 0.5) * 1e5);
        const line = Math.round(past(r, s, j, rLine, sLine, 0));
        const distance = past(r, s, j, rLine, sLine, line);
        if (Math.abs(distance) > 1e-3) continue;
        close++;
        const answer = isPast({ r, s, rLine, sLine }, j, line);
        if (answer !== distance > 0) t.fail(`${distance} from a line`);
        // Seen from the crossing with family j, line r is passed just as the angles say.
        const seen = isPast({ r: s, s: j, rLine: sLine, sLine: line }, r, rLine);
        const swapped = isPast({ r: j, s, rLine: line, sLine }, r, rLine);
        const flips = Math.sin(((s - r) * Math.PI) / n) * Math.sin(((j - s) * Math.PI) / n) < 0;
        if (seen !== (answer !== flips) || seen !== swapped) t.fail("two crossings disagree");
      }
      t.ok(close > 50);
    }
  },
);

t.test("offsets decide crossings that floats cannot", async (t) => {
  const offsets = gridOffsets(5, 3);
  const crossing = { r: 0, s: 1, rLine: 71_234, sLine: -65_432 };
  const sine = (k: number) => Math.sin((k * Math.PI) / 5);
  const mr = crossing.rLine - offsets[0];
  const ms = crossing.sLine - offsets[1];
  const value = (mr * sine(-1) + ms * sine(2)) / sine(1);
  const line = Math.round(value);
  // The offset that brings a line of family 2 to the crossing, and its neighbours.
  const met = Math.round((line - value) * OFFSET_STEPS);
  const answers = [-2, -1, 0, 1, 2, 3].map((more) => {
    const moved = [...offsets];
    moved[2] = (met + more) / OFFSET_STEPS;
    return lineSides({ n: 5, directions: [0, 1, 2, 3, 4], offsets: moved })(crossing, 2, line);
  });
  t.strictSame([answers[0], answers.at(-1)], [false, true]);
  t.strictSame(answers, answers.toSorted(), "one step separates before from past");
});
