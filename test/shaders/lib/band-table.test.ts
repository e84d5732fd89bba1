import t from "tap";
import { type Band, bandTable } from "../../../shaders/lib/band-table.ts";
import type { Linear } from "../../../shaders/lib/colour.ts";
import { randomSequence } from "../../../shaders/lib/random.ts";

const STRIDE = 12;

function anySequence(seed: number): Band[] {
  const random = randomSequence(seed);
  const colour = (): Linear => [random(), random(), random()];
  return Array.from({ length: 30 }, () => ({
    width: 0.02 + random(),
    colour: colour(),
    ...(random() < 0.5 ? { to: colour() } : {}),
  }));
}

t.test("sums are those of the bands before, however a sequence is scaled", async (t) => {
  for (const factor of [1, 0.01, 700]) {
    const sequence = anySequence(3).map((band) => ({ ...band, width: band.width * factor }));
    const whole = sequence.reduce((sum, { width }) => sum + width, 0);
    const { bands, total } = bandTable(sequence);
    let start = 0;
    let red = 0;
    sequence.forEach(({ width, colour, to = colour }, index) => {
      const row = bands.subarray(index * STRIDE, (index + 1) * STRIDE);
      t.ok(Math.abs(row[0] - start) < 1e-6);
      t.ok(Math.abs(row[3] - red) < 1e-6);
      start += width / whole;
      red += (0.5 * width * (colour[0] + to[0])) / whole;
    });
    t.ok(Math.abs(total[0] - red) < 1e-6);
  }
});

t.test("every level is reachable from its bucket", async (t) => {
  for (const seed of [1, 2, 3, 4]) {
    const sequence = anySequence(seed);
    const { bands, buckets } = bandTable(sequence);
    let lost = 0;
    for (let step = 0; step < 5000; step++) {
      const level = (step + 0.5) / 5000;
      let at = buckets[Math.floor(level * buckets.length)];
      let steps = 0;
      while (bands[at] + bands[at + 1] < level && steps < 40) {
        at = bands[at + 2];
        steps += 1;
      }
      const [start, length] = bands.subarray(at, at + 2);
      if (start > level + 1e-6 || start + length < level - 1e-6) lost += 1;
    }
    t.equal(lost, 0, `seed ${seed}`);
  }
});

t.test("the last band links to the first", async (t) => {
  const { bands } = bandTable(anySequence(5));
  t.equal(bands.at(-STRIDE + 2), 0);
});
