import t from "tap";
import { grain } from "../../shaders/surface/grain.ts";
import { applySurfaceEffect, fromPixels } from "./apply-surface-effect.ts";
import { backend } from "./backends.ts";
import { channels, pack, plain } from "./pixels.ts";

const SIDE = 256;
const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");

const lay = (grey: number, params: Record<string, number>) =>
  applySurfaceEffect(runner, grain, fromPixels(params, "size"), {
    colour: plain(SIDE, SIDE, pack(grey, grey, grey)),
    width: SIDE,
    height: SIDE,
  });

/** Mean, standard deviation, and correlation of pixels that lie `apart` beside each other. */
function statistics(out: Float32Array, channel = 0, apart = 1) {
  const values = Array.from(out, (packed) => channels(packed)[channel]);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let square = 0;
  let product = 0;
  values.forEach((value, index) => {
    square += (value - mean) ** 2;
    product += (value - mean) * (values[(index + apart) % values.length] - mean);
  });
  return { mean, deviation: Math.sqrt(square / values.length), correlation: product / square };
}

t.test("keeps the mean of dark, middle and light greys", async (t) => {
  for (const grey of [20, 64, 128, 192, 235]) {
    const { mean } = statistics(await lay(grey, { strength: 0.5 }));
    t.ok(Math.abs(mean - grey) < 0.5, `${grey} became ${mean}`);
  }
});

t.test("is strongest in the midtones and leaves black and white alone", async (t) => {
  const deviation = async (grey: number) =>
    statistics(await lay(grey, { strength: 0.6 })).deviation;
  const [dark, middle, light] = [await deviation(30), await deviation(128), await deviation(225)];
  t.ok(middle > 1.5 * dark);
  t.ok(middle > 1.5 * light);
  t.equal(await deviation(0), 0);
  t.equal(await deviation(255), 0);
});

t.test("strength 1 is a standard deviation of 30 on a mid grey, whatever the size", async (t) => {
  for (const size of [1, 1.5, 2.7]) {
    const { deviation } = statistics(await lay(128, { strength: 1, size }));
    t.ok(Math.abs(deviation - 30) < 1.5, `size ${size}: ${deviation}`);
  }
});

t.test("grains grow with the size and repeat nowhere near", async (t) => {
  const fine = await lay(128, { strength: 1, size: 1 });
  const coarse = await lay(128, { strength: 1, size: 6 });
  t.ok(Math.abs(statistics(fine, 0, 2).correlation) < 0.1);
  t.ok(statistics(coarse, 0, 2).correlation > 0.7);
  for (const apart of [16, 64, 128, SIDE * 16, SIDE * 64 + 64]) {
    t.ok(Math.abs(statistics(fine, 0, apart).correlation) < 0.05, `${apart} apart`);
  }
});

t.test("has the same variance on lattice points as between them", async (t) => {
  const size = 4;
  const out = await lay(128, { strength: 1, size });
  const deviations = Array.from(
    { length: size },
    (_, phase) => statistics(out.filter((_, index) => (index % SIDE) % size === phase)).deviation,
  );
  t.ok(Math.max(...deviations) / Math.min(...deviations) < 1.1, deviations.join(" "));
});

t.test("is monochrome unless colour is requested", async (t) => {
  const isGrey = (packed: number) => new Set(channels(packed)).size === 1;
  t.ok((await lay(128, { strength: 1 })).every(isGrey));
  const coloured = await lay(128, { strength: 1, colour: 1 });
  t.notOk(coloured.every(isGrey));
  for (const channel of [0, 1, 2]) {
    const { mean, deviation } = statistics(coloured, channel);
    t.ok(Math.abs(mean - 128) < 1 && Math.abs(deviation - 30) < 1.5, `channel ${channel}`);
  }
});

t.test("another seed gives other grain", async (t) => {
  const [one, other] = [await lay(128, { seed: 1 }), await lay(128, { seed: 2 })];
  t.ok(one.filter((packed, index) => packed !== other[index]).length > one.length * 0.8);
  t.strictSame(await lay(128, { seed: 1 }), one);
});
