/** Invert, posterize, sepia, threshold and duotone. */
import t from "tap";
import { duotone } from "../../../shaders/effects/duotone.ts";
import { invert } from "../../../shaders/effects/invert.ts";
import { posterize } from "../../../shaders/effects/posterize.ts";
import { sepia } from "../../../shaders/effects/sepia.ts";
import { threshold } from "../../../shaders/effects/threshold.ts";
import { backend } from "../backends.ts";
import { channels, colourful, pack } from "../pixels.ts";
import { applyEffect, GREYS, hueAndChroma, oklabOf } from "./apply-effect.ts";

const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");
const colours = colourful(96, 96);

/** Values of one channel that are there. */
const valuesOf = (out: Float32Array, channel: 0 | 1 | 2) =>
  [...new Set([...out].map((packed) => channels(packed)[channel]))].sort((a, b) => a - b);

t.test("invert: white becomes black, and applying it twice restores the picture", async (t) => {
  const once = await applyEffect(runner, invert, {}, colours);
  t.equal(once[0], 0xffffff);
  t.ok(once.every((packed, index) => packed === 0xffffff - colours[index]));
  t.strictSame(await applyEffect(runner, invert, {}, once), colours);
});

t.test(
  "posterize: the largest channel keeps just as many values, in steps that look even",
  async (t) => {
    for (const levels of [2, 3, 5, 12]) {
      const out = await applyEffect(runner, posterize, { levels, softness: 0 }, colours);
      const largest = [...out].map((packed) => Math.max(...channels(packed)));
      const values = [...new Set(largest)].sort((a, b) => a - b);
      t.equal(values.length, levels);
      t.strictSame([values[0], values.at(-1)], [0, 255]);
      const greys = values.map((value) => oklabOf(pack(value, value, value))[0]);
      const steps = greys.slice(2).map((value, index) => value - greys[index + 1]);
      t.ok(Math.max(...steps, 0) - Math.min(...steps, 1) < 0.04, `${levels}: ${steps}`);
    }
  },
);

t.test("posterize: channels keep their proportions, and greys stay grey", async (t) => {
  const out = await applyEffect(runner, posterize, { levels: 4, softness: 0 }, colours);
  const wrong = [...out].filter((packed, index) => {
    const [before, after] = [channels(colours[index]), channels(packed)];
    const factor = Math.max(...after) / Math.max(...before, 1);
    return after.some((value, channel) => Math.abs(value - before[channel] * factor) > 1.01);
  });
  t.equal(wrong.length, 0);
});

t.test("posterize: tones map to the nearest level", async (t) => {
  const out = await applyEffect(runner, posterize, { levels: 5, softness: 0 }, GREYS);
  const levels = valuesOf(out, 0);
  out.forEach((packed, value) => {
    const way = Math.abs(channels(packed)[0] - value);
    const least = Math.min(...levels.map((level) => Math.abs(level - value)));
    // Nearest by lightness, compared by bytes: borders differ by a few of them.
    if (way > least + 8) t.fail(`${value} became ${channels(packed)[0]}`);
  });
  t.equal(levels.length, 5);
});

t.test("posterize: softness blends between the same levels", async (t) => {
  const hard = valuesOf(await applyEffect(runner, posterize, { levels: 4, softness: 0 }, GREYS), 0);
  const soft = valuesOf(
    await applyEffect(runner, posterize, { levels: 4, softness: 0.4 }, GREYS),
    0,
  );
  t.ok(soft.length > hard.length + 20);
  t.ok(hard.every((value) => soft.includes(value)));
});

t.test("sepia: one brown for one lightness, darker ones never lighter", async (t) => {
  for (const age of [0, 0.3, 1]) {
    const out = await applyEffect(runner, sepia, { strength: 1, age }, GREYS);
    const lightness = [...out].map((packed) => oklabOf(packed)[0]);
    t.ok(lightness.every((value, i) => i === 0 || value > lightness[i - 1] - 0.003));
    for (const packed of out.slice(40, 230)) {
      const [angle, chroma] = hueAndChroma(packed);
      t.ok(angle > 35 && angle < 95 && chroma > 0.01, `${channels(packed)}`);
    }
  }
  const fresh = await applyEffect(runner, sepia, { strength: 1, age: 0 }, GREYS);
  t.strictSame([fresh[0], fresh[255]], [0, 0xffffff]);
});

t.test("threshold: a hard edge gives two colours, separated at the level", async (t) => {
  const params = { level: 0.5, softness: 0, dark: "#112233", light: "#ffeedd" };
  const out = await applyEffect(runner, threshold, params, colours);
  out.forEach((packed, index) => {
    const lightness = oklabOf(colours[index])[0];
    if (Math.abs(lightness - 0.5) < 0.0003) return;
    if (packed !== (lightness < 0.5 ? 0x112233 : 0xffeedd)) t.fail(`${lightness}`);
  });
  t.equal(new Set(out).size, 2);
});

t.test("threshold: a soft edge has the configured width", async (t) => {
  const params = { level: 0.5, softness: 0.3, dark: "#000000", light: "#ffffff" };
  const out = await applyEffect(runner, threshold, params, GREYS);
  out.forEach((packed, value) => {
    const lightness = oklabOf(GREYS[value])[0];
    if (lightness < 0.348) t.equal(packed, 0);
    else if (lightness > 0.652) t.equal(packed, 0xffffff);
    else if (lightness > 0.4 && lightness < 0.6) t.ok(packed > 0 && packed < 0xffffff);
  });
});

t.test(
  "duotone: black and white become its colours, and all between lie on their line",
  async (t) => {
    const params = { dark: "#14123a", light: "#ffe2b8" };
    const out = await applyEffect(runner, duotone, params, GREYS);
    t.strictSame([out[0], out[255]], [0x14123a, 0xffe2b8]);
    const [from, to] = [oklabOf(0x14123a), oklabOf(0xffe2b8)];
    const shares = [...out].map((packed) => (oklabOf(packed)[0] - from[0]) / (to[0] - from[0]));
    out.forEach((packed, value) => {
      const share = shares[value];
      t.ok(value === 0 || share > shares[value - 1] - 0.003, `${value} is lighter`);
      const off = oklabOf(packed).map((one, part) => {
        const [start, end] = [from[part], to[part]];
        return Math.abs(one - (start + (end - start) * share));
      });
      t.ok(Math.max(...off) < 0.006, `${value}`);
    });
    const greys = [...GREYS].map((packed) => oklabOf(packed)[0]);
    const [dark, light] = [0.25, 0.75].map((wanted) =>
      greys.findIndex((lightness) => lightness >= wanted),
    );
    t.ok(shares[light] - shares[dark] > 0.6, "with more contrast in the middle");
  },
);
