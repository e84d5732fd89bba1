/** Brightness, contrast and gamma: curves that preserve hues. */
import t from "tap";
import { brightness } from "../../../shaders/effects/brightness.ts";
import { contrast } from "../../../shaders/effects/contrast.ts";
import { gamma } from "../../../shaders/effects/gamma.ts";
import { backend } from "../backends.ts";
import { channels, colourful, pack } from "../pixels.ts";
import { applyEffect, GREYS, luminanceOf } from "./apply-effect.ts";

const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");

const curves = [
  { effect: brightness, up: { stops: 2 }, down: { stops: -2 } },
  { effect: contrast, up: { amount: 0.8 }, down: { amount: -0.4 } },
  { effect: gamma, up: { gamma: 2 }, down: { gamma: 0.5 } },
];

/** Where the middle channel lies between the smallest and the largest. */
function placeOfMiddle(packed: number): number {
  const [low, middle, high] = [...channels(packed)].sort((a, b) => a - b);
  return (middle - low) / (high - low);
}

const spread = (packed: number) => Math.max(...channels(packed)) - Math.min(...channels(packed));

for (const { effect, up, down } of curves) {
  t.test(`${effect.id}: greys stay grey, and in their order`, async (t) => {
    for (const params of [up, down]) {
      const out = await applyEffect(runner, effect, params, GREYS);
      t.ok(out.every((packed) => spread(packed) === 0));
      t.ok(out.every((packed, index) => index === 0 || packed >= out[index - 1]));
    }
  });

  t.test(`${effect.id}: keeps the hue of every colour`, async (t) => {
    const colours = colourful(64, 64);
    const out = await applyEffect(runner, effect, up, colours);
    let compared = 0;
    out.forEach((packed, index) => {
      // Below a spread of 30 the rounding to bytes turns hues by more than is asserted.
      if (spread(packed) < 30 || spread(colours[index]) < 30) return;
      compared += 1;
      const turned = Math.abs(placeOfMiddle(packed) - placeOfMiddle(colours[index]));
      if (turned > 0.04) t.fail(`${channels(colours[index])} became ${channels(packed)}`);
    });
    t.ok(compared > 1000);
  });
}

t.test("brightness, gamma and positive contrast keep black and white", async (t) => {
  const ends = Float32Array.of(0, 0xffffff);
  for (const { effect, up } of curves)
    t.strictSame(await applyEffect(runner, effect, up, ends), ends);
});

t.test("brightness: deep shadows gain the requested stops", async (t) => {
  const shadow = Float32Array.of(pack(20, 20, 20));
  const before = luminanceOf(shadow[0]);
  for (const stops of [-1, 1, 2]) {
    const [after] = await applyEffect(runner, brightness, { stops }, shadow);
    t.ok(Math.abs(Math.log2(luminanceOf(after) / before) - stops) < 0.15, `${stops}`);
  }
});

t.test("brightness: opposite values cancel out", async (t) => {
  const out = await applyEffect(
    runner,
    brightness,
    { stops: -1 },
    await applyEffect(runner, brightness, { stops: 1 }, GREYS),
  );
  out.forEach((packed, value) => {
    t.ok(Math.abs(channels(packed)[0] - value) <= 2, `${value}`);
  });
});

t.test("contrast: keeps mid-grey, and quadruples the slope there at 1", async (t) => {
  const near = Float32Array.of(pack(116, 116, 116), pack(119, 119, 119), pack(122, 122, 122));
  const out = await applyEffect(runner, contrast, { amount: 1 }, near);
  const [darker, middle, lighter] = [...out].map((packed) => channels(packed)[0]);
  t.ok(Math.abs(middle - 119) <= 1);
  t.ok(Math.abs(lighter - darker - 24) <= 3, `${darker}…${lighter}`);
});

t.test("contrast: −1 leaves only mid-grey", async (t) => {
  const out = await applyEffect(runner, contrast, { amount: -1 }, colourful(32, 32));
  t.ok(out.every((packed) => packed === pack(119, 119, 119)));
});
