import t from "tap";
import { whiteBalance } from "../../../shaders/effects/lib/white-balance.ts";
import { temperature } from "../../../shaders/effects/temperature.ts";
import { backend } from "../backends.ts";
import { channels, pack } from "../pixels.ts";
import { applyEffect, GREYS, luminanceOf } from "./apply-effect.ts";

const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");

t.test("greys keep their luminance, white stays white and black black", async (t) => {
  for (const params of [{ warmth: 150 }, { warmth: -80 }, { warmth: 30, tint: -1 }]) {
    const out = await applyEffect(runner, temperature, params, GREYS);
    out.forEach((packed, value) => {
      const wanted = luminanceOf(GREYS[value]);
      // Half a step of the encoded green, in light.
      if (Math.abs(luminanceOf(packed) - wanted) > 0.006) t.fail(`${value}: ${channels(packed)}`);
    });
    t.equal(out[0], 0);
    t.equal(out[255], 0xffffff);
  }
});

t.test("warm is redder and less blue, cool the reverse, proportionally", async (t) => {
  const grey = Float32Array.of(pack(128, 128, 128));
  let before = Number.NEGATIVE_INFINITY;
  for (const warmth of [-80, -40, 0, 40, 80, 150]) {
    const [packed] = await applyEffect(runner, temperature, { warmth }, grey);
    const [red, , blue] = channels(packed);
    t.ok(red - blue > before, `${warmth}`);
    before = red - blue;
  }
});

t.test("tint goes from green to magenta", async (t) => {
  const grey = Float32Array.of(pack(128, 128, 128));
  const green = async (tint: number) => {
    const [packed] = await applyEffect(runner, temperature, { warmth: 0, tint }, grey);
    const [red, middle, blue] = channels(packed);
    return middle - (red + blue) / 2;
  };
  t.ok((await green(-1)) > 5 && (await green(1)) < -5);
});

t.test("maps daylight to lamplight along the Planckian locus", async (t) => {
  // 153.75 mired is 6504 K, 350 mired is 2857 K: CIE illuminant A, x 0.4476, y 0.4074, lies on the
  // locus; D65 lies 0.003 beside it, and so does what it becomes.
  const m = whiteBalance(350 - 153.75, 0);
  const [r, g, b] = [0, 3, 6].map((row) => m.slice(row, row + 3).reduce((sum, one) => sum + one));
  const x = 0.4124564 * r + 0.3575761 * g + 0.1804375 * b;
  const y = 0.2126729 * r + 0.7151522 * g + 0.072175 * b;
  const z = 0.0193339 * r + 0.119192 * g + 0.9503041 * b;
  const [u, v] = [(4 * x) / (x + 15 * y + 3 * z), (6 * y) / (x + 15 * y + 3 * z)];
  t.ok(Math.hypot(u - 0.256, v - 0.3495) < 0.0045, `${u} ${v}`);
  t.ok(Math.abs(y - 1) < 1e-3, "of the same luminance");
});
