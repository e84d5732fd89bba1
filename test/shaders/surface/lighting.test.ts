import t from "tap";
import { lighting } from "../../../shaders/surface/lighting.ts";
import { applySurfaceEffect } from "../apply-surface-effect.ts";
import { backend } from "../backends.ts";
import { channels, pack, plain } from "../pixels.ts";

const WIDTH = 300;
const HEIGHT = 200;
const GREY = 150;
const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");

const lay = (params: Record<string, number>, grey = GREY) =>
  applySurfaceEffect(runner, lighting, params, {
    colour: plain(WIDTH, HEIGHT, pack(grey, grey, grey)),
    width: WIDTH,
    height: HEIGHT,
  });

/** Mean of a channel over a square of 16 pixels around a point. */
function around(out: Float32Array, x: number, y: number, channel = 1): number {
  let sum = 0;
  for (let row = y - 8; row < y + 8; row++) {
    for (let column = x - 8; column < x + 8; column++) {
      sum += channels(out[row * WIDTH + column])[channel];
    }
  }
  return sum / 256;
}

t.test("falls off steadily away from the lamp, the more the stronger it is", async (t) => {
  const ends: number[] = [];
  for (const strength of [0.3, 0.6, 1]) {
    const out = await lay({ strength, x: 0.1, y: 0.1 });
    const along = Array.from({ length: 15 }, (_, step) =>
      around(out, 30 + step * 17, 20 + step * 11),
    );
    along.slice(1).forEach((value, step) => {
      t.ok(value < along[step], `${along[step]} then ${value}`);
    });
    ends.push(along[0] - (along.at(-1) as number));
  }
  t.strictSame(
    ends,
    ends.toSorted((a, b) => a - b),
  );
});

t.test("is radially symmetric, also on sheets that are not square", async (t) => {
  const out = await lay({ strength: 1, x: 0.5, y: 0.5 });
  const ring = [0, 1, 2, 3, 4, 5, 6, 7].map((eighth) => {
    const turn = (eighth * Math.PI) / 4;
    return around(
      out,
      Math.round(150 + 80 * Math.cos(turn)),
      Math.round(100 + 80 * Math.sin(turn)),
    );
  });
  t.ok(Math.max(...ring) - Math.min(...ring) < 1, ring.join(" "));
});

t.test("a soft lamp lights the far corner better than one close to the sheet", async (t) => {
  const corner = async (softness: number) =>
    around(await lay({ strength: 1, x: 0, y: 0, softness }), WIDTH - 10, HEIGHT - 10);
  const [hard, middle, soft] = [await corner(0), await corner(0.5), await corner(1)];
  t.ok(hard + 10 < middle && middle + 10 < soft, `${hard}, ${middle}, ${soft}`);
});

t.test("is warm in the light and cool in the shadow, and grey without warmth", async (t) => {
  const params = { strength: 1, x: 0.1, y: 0.1, softness: 0.2 };
  const warm = await lay({ ...params, warmth: 1 });
  t.ok(around(warm, 30, 20, 0) > around(warm, 30, 20, 2) + 15, "light");
  t.ok(around(warm, 280, 180, 0) < around(warm, 280, 180, 2) - 8, "shadow");
  const neutral = await lay({ ...params, warmth: 0 });
  t.ok(neutral.every((packed) => new Set(channels(packed)).size === 1));
});

t.test("keeps white under the lamp, without clipping", async (t) => {
  const out = await lay({ strength: 1, x: 0.1, y: 0.1, warmth: 0 }, 255);
  t.equal(around(out, 30, 20), 255);
  const light = await lay({ strength: 1, x: 0.1, y: 0.1, warmth: 0 }, 240);
  t.ok(around(light, 30, 20) > 240 && around(light, 30, 20) < 255);
});

t.test("dithers: neighbouring tones mingle instead of making rings", async (t) => {
  const out = await lay({ strength: 0.3, warmth: 0 }, 90);
  const row = Array.from(out.slice(100 * WIDTH, 101 * WIDTH), (packed) => channels(packed)[1]);
  const tones = new Set(row).size;
  const changes = row.filter((value, index) => index > 0 && value !== row[index - 1]).length;
  t.ok(tones >= 4 && changes > 4 * tones, `${changes} changes between ${tones} tones`);
});
