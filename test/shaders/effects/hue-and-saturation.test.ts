/** Hue, saturation and grayscale: what they preserve of a colour. */
import t from "tap";
import { grayscale } from "../../../shaders/effects/grayscale.ts";
import { hue } from "../../../shaders/effects/hue.ts";
import { saturation } from "../../../shaders/effects/saturation.ts";
import { backend } from "../backends.ts";
import { channels, colourful, largestDifference, pack } from "../pixels.ts";
import { applyEffect, GREYS, hueAndChroma, luminanceOf, oklabOf } from "./apply-effect.ts";

const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");
const colours = colourful(96, 96);

/** Angle from one hue to another, 0…180 degrees. */
const turn = (from: number, to: number) => Math.abs(((((to - from) % 360) + 540) % 360) - 180);

t.test("keeps the OKLab lightness of every colour", async (t) => {
  const runs = [
    ...[40, 120, 180, -90].map((angle) => ({ effect: hue, params: { angle } })),
    ...[0, 0.5, 1.5, 3].map((amount) => ({ effect: saturation, params: { amount } })),
  ];
  for (const { effect, params } of runs) {
    const out = await applyEffect(runner, effect, params, colours);
    const worst = Math.max(
      ...out.map((packed, i) => Math.abs(oklabOf(packed)[0] - oklabOf(colours[i])[0])),
    );
    t.ok(worst < 0.004, `${effect.id} ${JSON.stringify(params)}: off by ${worst}`);
  }
});

t.test("hue: turns by the angle, and the gamut's boundary skews nothing", async (t) => {
  for (const angle of [60, 180, -120]) {
    const out = await applyEffect(runner, hue, { angle }, colours);
    let compared = 0;
    out.forEach((packed, index) => {
      const [before, chroma] = hueAndChroma(colours[index]);
      const [after, left] = hueAndChroma(packed);
      // Nearer to grey than this, a byte's rounding is degrees of hue.
      if (chroma < 0.06 || left < 0.06) return;
      compared += 1;
      if (turn(before + angle, after) > 5) {
        t.fail(`${channels(colours[index])} by ${angle} became ${channels(packed)}`);
      }
    });
    t.ok(compared > 3000, `${compared}`);
  }
});

t.test("hue: a whole turn changes nothing", async (t) => {
  for (const angle of [360, -360]) {
    t.ok(largestDifference(await applyEffect(runner, hue, { angle }, colours), colours) <= 1);
  }
});

t.test("hue and saturation keep greys", async (t) => {
  for (const out of [
    await applyEffect(runner, hue, { angle: 77 }, GREYS),
    await applyEffect(runner, saturation, { amount: 3 }, GREYS),
  ]) {
    t.ok(largestDifference(out, GREYS) <= 1);
  }
});

t.test("saturation: chroma grows with the amount, the hue stays", async (t) => {
  const muted = Float32Array.of(pack(150, 120, 110), pack(100, 120, 140), pack(120, 140, 100));
  let before = [...muted].map(() => -1);
  for (const amount of [0, 0.5, 1, 1.5, 2, 3]) {
    const now = [...(await applyEffect(runner, saturation, { amount }, muted))].map(hueAndChroma);
    t.ok(
      now.every(([, chroma], index) => chroma > before[index]),
      `${amount}`,
    );
    before = now.map(([, chroma]) => chroma);
    if (amount < 0.5) continue;
    now.forEach(([angle], index) => {
      t.ok(turn(angle, hueAndChroma(muted[index])[0]) < 4, `${amount}`);
    });
  }
});

t.test("saturation: 0 equals grayscale", async (t) => {
  const out = await applyEffect(runner, saturation, { amount: 0 }, colours);
  const grey = await applyEffect(runner, grayscale, {}, colours);
  const apart = out.map((packed, i) => Math.abs(channels(packed)[1] - channels(grey[i])[1]));
  t.ok(Math.max(...out.map((packed) => hueAndChroma(packed)[1])) < 0.006, "no colour is left");
  // OKLab's lightness is not luminance: they differ for the purest blues and magentas.
  t.ok(apart.reduce((sum, one) => sum + one) / apart.length < 8);
});

t.test("grayscale: equal channels of the same luminance", async (t) => {
  const out = await applyEffect(runner, grayscale, {}, colours);
  out.forEach((packed, index) => {
    const [red, green, blue] = channels(packed);
    if (red !== green || green !== blue) t.fail(`${red} ${green} ${blue}`);
    const nearest = Math.abs(luminanceOf(packed) - luminanceOf(colours[index]));
    if (nearest > 0.0045) t.fail(`luminance is off by ${nearest}`);
  });
  t.equal(out.length, colours.length);
});

t.test("grayscale: luminance stays at half strength too", async (t) => {
  const out = await applyEffect(runner, grayscale, { strength: 0.5 }, colours);
  const off = out.map((one, i) => Math.abs(luminanceOf(one) - luminanceOf(colours[i])));
  t.ok(Math.max(...off) < 0.005);
});

t.test(
  "grayscale: a filter lightens its own colour, darkens the opposite, keeps greys",
  async (t) => {
    const skyAndBrick = Float32Array.of(pack(90, 140, 220), pack(190, 90, 60));
    const tones = async (filter: string) => [
      ...(await applyEffect(runner, grayscale, { filter }, skyAndBrick)),
    ];
    const [sky, brick] = await tones("none");
    const [redSky, redBrick] = await tones("red");
    const [blueSky, blueBrick] = await tones("blue");
    t.ok(redSky < sky && redBrick > brick && blueSky > sky && blueBrick < brick);
    for (const filter of ["yellow", "orange", "red", "green", "blue"]) {
      t.ok(largestDifference(await applyEffect(runner, grayscale, { filter }, GREYS), GREYS) <= 1);
    }
  },
);
