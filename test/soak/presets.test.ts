/** Properties of every preset, on every backend. */

import t from "tap";
import type { KernelRunner } from "../../engine/kernel-runner.ts";
import { type Preset, presets } from "../../shaders/catalog.ts";
import { paletteOf } from "../../shaders/presets/palette.ts";
import { some } from "../helpers/random-subset.ts";
import { backends } from "../shaders/backends.ts";
import { channels, largestDifference, meanDifference } from "../shaders/pixels.ts";

const SIDE = 128;
const SEEDS = [0, 1, 2, 3, 12345678901, -7];

const { reference, others } = await backends(t);

async function draw(runner: KernelRunner, preset: Preset, seed: number, side = SIDE) {
  const args = [side, side, ...preset.prepare(seed, paletteOf(seed))];
  return Float32Array.from(await runner.run(preset.kernel, side * side, args));
}

/** Mean difference between a column and the one to its right, or a row and the one below. */
function steps(out: Float32Array, down: boolean): number[] {
  const lines = Array.from({ length: SIDE }, (_, line) =>
    Float32Array.from({ length: SIDE }, (_, place) =>
      down ? out[line * SIDE + place] : out[place * SIDE + line],
    ),
  );
  return lines.map((line, number) => meanDifference(line, lines[(number + 1) % SIDE]));
}

/** A picture at a quarter of the side: each pixel the mean of sixteen, or one from their middle. */
function reduced(out: Float32Array, side: number, averaged: boolean): number[] {
  const small = side / 4;
  const taken = averaged ? [0, 1, 2, 3] : [2];
  return Array.from({ length: small * small }, (_, index) => {
    const x = (index % small) * 4;
    const y = Math.floor(index / small) * 4;
    const sum = [0, 0, 0];
    for (const dy of taken) {
      for (const dx of taken) {
        const pixel = channels(out[(y + dy) * side + x + dx]);
        for (let channel = 0; channel < 3; channel++) sum[channel] += pixel[channel];
      }
    }
    return sum.map((value) => value / taken.length ** 2);
  }).flat();
}

for (const preset of presets) {
  t.test(`${preset.id}: the backends agree`, async (t) => {
    for (const seed of some(SEEDS, 1)) {
      const expected = await draw(reference, preset, seed);
      for (const runner of others) {
        const out = await draw(runner, preset, seed);
        t.ok(largestDifference(out, expected) <= 1, `${runner.backend}, seed ${seed}`);
      }
    }
  });

  t.test(`${preset.id}: the same seed draws the same picture`, async (t) => {
    const [one, other] = [await draw(reference, preset, 5), await draw(reference, preset, 5)];
    t.equal(Buffer.compare(Buffer.from(one.buffer), Buffer.from(other.buffer)), 0);
  });

  t.test(`${preset.id}: seeds differ, and none is plain`, async (t) => {
    // One after the other: a kernel's runs share their memory.
    const drawn: Float32Array[] = [];
    for (const seed of SEEDS) drawn.push(await draw(reference, preset, seed));
    drawn.forEach((one, index) => {
      t.ok(new Set(one).size > 200, `seed ${SEEDS[index]} has many colours`);
      for (const other of drawn.slice(index + 1)) {
        t.ok(meanDifference(one, other) > 10, `seed ${SEEDS[index]} differs`);
      }
    });
  });

  t.test(`${preset.id}: returns valid colours only`, async (t) => {
    const out = await draw(reference, preset, 9);
    t.ok(out.every((packed) => Number.isInteger(packed) && packed >= 0 && packed < 2 ** 24));
  });

  t.test(`${preset.id}: repeats seamlessly`, { skip: !preset.tiles }, async (t) => {
    for (const seed of SEEDS) {
      const out = await draw(reference, preset, seed);
      for (const down of [false, true]) {
        const all = steps(out, down);
        const seam = all.pop() as number;
        t.ok(seam <= 1.2 * Math.max(...all), `seed ${seed}: ${seam} at the seam`);
      }
    }
  });
}

for (const preset of presets.filter(({ id }) => id !== "marble")) {
  t.test(`${preset.id}: edges are antialiased`, async (t) => {
    const large = await draw(reference, preset, 4, SIDE * 4);
    const ideal = reduced(large, SIDE * 4, true);
    const stairs = reduced(large, SIDE * 4, false);
    const drawn = Array.from(await draw(reference, preset, 4)).flatMap(channels);
    const error = (values: number[]) =>
      Math.sqrt(
        values.reduce((sum, value, index) => sum + (value - ideal[index]) ** 2, 0) / values.length,
      );
    t.ok(error(drawn) < 0.7 * error(stairs), `${error(drawn)} against ${error(stairs)}`);
  });
}

t.test("a small plasma with grain is as light as a large one", async (t) => {
  const plasma = presets.filter(({ id }) => id === "plasma");
  // Prints of coarse grain on edges that stay sharp.
  for (const [preset, seed] of plasma.flatMap((one) =>
    [11, 23].map((seed) => [one, seed] as const),
  )) {
    const lightness = async (side: number) => {
      const out = await draw(reference, preset, seed, side);
      return out.reduce((sum, packed) => sum + meanOf(channels(packed)), 0) / out.length;
    };
    const [small, large] = [await lightness(300), await lightness(1200)];
    t.ok(Math.abs(small - large) < 2.5, `seed ${seed}: ${small} and ${large}`);
  }
});

const meanOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
