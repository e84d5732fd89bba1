import t from "tap";
import { fade } from "../../../shaders/surface/fade.ts";
import { applySurfaceEffect } from "../apply-surface-effect.ts";
import { backend } from "../backends.ts";
import { channels, pack, plain } from "../pixels.ts";

const WIDTH = 240;
const HEIGHT = 160;
const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");

const EVEN = { dyes: "even", yellowing: 0, unevenness: 0 };

const lay = (packed: number, params: Record<string, unknown>) =>
  applySurfaceEffect(runner, fade, params, {
    colour: plain(WIDTH, HEIGHT, packed),
    width: WIDTH,
    height: HEIGHT,
  });

/** Mean of a channel over the columns from `from` to `to`. */
function mean(out: Float32Array, channel: 0 | 1 | 2, from = 0, to = WIDTH): number {
  const part = out.filter((_, index) => index % WIDTH >= from && index % WIDTH < to);
  return part.reduce((sum, packed) => sum + channels(packed)[channel], 0) / part.length;
}

t.test("lifts blacks in proportion to fading, and keeps white", async (t) => {
  const blacks: number[] = [];
  for (const strength of [0, 0.25, 0.5, 0.75, 1]) {
    blacks.push(mean(await lay(0, { ...EVEN, strength }), 1));
    const white = await lay(0xffffff, { ...EVEN, strength });
    t.ok(white.every((packed) => packed === 0xffffff));
  }
  t.equal(blacks[0], 0);
  blacks.slice(1).forEach((black, step) => {
    t.ok(black > blacks[step] + 10, `${blacks[step]} then ${black}`);
  });
});

t.test("keeps darker tones darker", async (t) => {
  let before = -1;
  for (const value of [0, 16, 48, 96, 160, 220, 255]) {
    const tone = mean(await lay(pack(value, value, value), { ...EVEN, strength: 1 }), 1);
    t.ok(tone > before, `${value} gives ${tone}`);
    before = tone;
  }
});

t.test("prints turn blue, photographs red, and with even dyes a grey stays grey", async (t) => {
  const casts = new Map<string, number>();
  for (const dyes of ["print", "photograph", "even"]) {
    const out = await lay(pack(90, 90, 90), { ...EVEN, dyes, strength: 1 });
    casts.set(dyes, mean(out, 0) - mean(out, 2));
  }
  t.ok((casts.get("print") ?? 0) < -10);
  t.ok((casts.get("photograph") ?? 0) > 10);
  t.ok(Math.abs(casts.get("even") ?? 9) < 0.1);
});

t.test("paper yellows: white loses blue most, red least", async (t) => {
  const out = await lay(0xffffff, { ...EVEN, strength: 1, yellowing: 1 });
  t.ok(mean(out, 2) < mean(out, 1) - 10);
  t.ok(mean(out, 1) < mean(out, 0));
});

t.test("fades most on the side of the light", async (t) => {
  for (const [angle, from, to] of [
    [0, WIDTH - 40, WIDTH],
    [180, 0, 40],
  ] as const) {
    for (const seed of [1, 2, 3]) {
      const out = await lay(pack(60, 60, 60), { angle, seed, unevenness: 1, strength: 1 });
      const other = WIDTH - to;
      t.ok(mean(out, 1, from, to) > mean(out, 1, other, other + 40) + 8, `${angle}°, ${seed}`);
    }
  }
});
