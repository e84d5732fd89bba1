import t from "tap";
import { gradientWash } from "../../../shaders/surface/gradient-wash.ts";
import { applySurfaceEffect } from "../apply-surface-effect.ts";
import { backend } from "../backends.ts";
import { channels, largestDifference, pack, plain } from "../pixels.ts";

const WIDTH = 240;
const HEIGHT = 160;
const WHITE = 0xffffff;
const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");

const EVEN = { strength: 1, flow: 0, granulation: 0, angle: 0 };
const COLOURS = { first: "#2040a0", middle: "#60c080", last: "#e0a020" };

const lay = (packed: number, params: Record<string, unknown>) =>
  applySurfaceEffect(runner, gradientWash, params, {
    colour: plain(WIDTH, HEIGHT, packed),
    width: WIDTH,
    height: HEIGHT,
  });

/** How far a pixel is from a colour `#rrggbb`, in its worst channel. */
function distance(out: Float32Array, x: number, y: number, hex: string): number {
  const wanted = channels(Number.parseInt(hex.slice(1), 16));
  const there = channels(out[y * WIDTH + x]);
  return Math.max(...there.map((value, channel) => Math.abs(value - wanted[channel])));
}

t.test("multiplied on white, the ends and the middle have the colours", async (t) => {
  const out = await lay(WHITE, { ...EVEN, ...COLOURS });
  for (const y of [0, HEIGHT / 2, HEIGHT - 1]) {
    t.ok(distance(out, 0, y, COLOURS.first) <= 3);
    t.ok(distance(out, WIDTH / 2, y, COLOURS.middle) <= 3);
    t.ok(distance(out, WIDTH - 1, y, COLOURS.last) <= 3);
  }
});

t.test("full channels stay full where a wash has them too, in every mode", async (t) => {
  const pale = { first: "#ff80c0", middle: "#fffaf0", last: "#ffffff" };
  for (const mode of ["multiply", "screen", "overlay", "soft_light"]) {
    const out = await lay(pack(255, 200, 255), { ...pale, mode });
    t.ok(
      out.every((packed) => channels(packed)[0] === 255),
      mode,
    );
  }
});

t.test("two colours ignore the middle one", async (t) => {
  const two = { ...EVEN, ...COLOURS, colours: 2 };
  const out = await lay(WHITE, two);
  t.ok(distance(out, WIDTH / 2, 80, COLOURS.middle) > 20);
  t.equal(largestDifference(out, await lay(WHITE, { ...two, middle: "#ff0000" })), 0);
});

t.test("a diagonal gradient ends in opposite corners", async (t) => {
  const out = await lay(WHITE, { ...EVEN, ...COLOURS, angle: 30 });
  t.ok(distance(out, 0, 0, COLOURS.first) <= 4);
  t.ok(distance(out, WIDTH - 1, HEIGHT - 1, COLOURS.last) <= 4);
  const up = await lay(WHITE, { ...EVEN, ...COLOURS, angle: -90 });
  t.ok(distance(up, 50, HEIGHT - 1, COLOURS.first) <= 4);
  t.ok(distance(up, 50, 0, COLOURS.last) <= 4);
});

t.test("blend modes follow their formulas", async (t) => {
  const grey = pack(80, 80, 80);
  const wash = { ...EVEN, first: "#c06030", last: "#c06030", colours: 2 };
  const base = 80 / 255;
  const root = Math.sqrt(base);
  const formulas: Record<string, (wash: number) => number> = {
    multiply: (wash) => base * wash,
    screen: (wash) => 1 - (1 - base) * (1 - wash),
    overlay: (wash) => 2 * base * wash,
    soft_light: (wash) =>
      wash < 0.5
        ? base - (1 - 2 * wash) * base * (1 - base)
        : base + (2 * wash - 1) * (root - base),
  };
  for (const [mode, formula] of Object.entries(formulas)) {
    const out = await lay(grey, { ...wash, mode });
    const wanted = [0xc0, 0x60, 0x30].map((value) => 255 * formula(value / 255));
    const there = channels(out[1234]);
    there.forEach((value, channel) => {
      t.ok(Math.abs(value - wanted[channel]) <= 1.5, `${mode}: ${there}`);
    });
  }
});

t.test("flow and granulation thin the wash and never deepen it", async (t) => {
  const wash = { ...EVEN, first: "#204080", last: "#204080", colours: 2 };
  const full = channels(0x204080);
  for (const uneven of [{ flow: 1 }, { granulation: 1 }]) {
    const out = await lay(WHITE, { ...wash, ...uneven });
    let least = 255;
    let most = 0;
    for (const packed of out) {
      channels(packed).forEach((value, channel) => {
        if (value < full[channel]) t.fail(`${value} in channel ${channel}`);
      });
      least = Math.min(least, channels(packed)[0]);
      most = Math.max(most, channels(packed)[0]);
    }
    t.ok(most - least > 30, `${least} to ${most}`);
  }
});

t.test("dithers: a slow gradient over plain grey has no bands", async (t) => {
  const params = { ...EVEN, first: "#ffffff", last: "#f4f4f4", colours: 2 };
  const out = await lay(pack(200, 200, 200), params);
  const row = Array.from(out.slice(0, WIDTH), (packed) => channels(packed)[1]);
  const changes = row.filter((value, index) => index > 0 && value !== row[index - 1]).length;
  t.ok(changes > 3 * new Set(row).size, `${changes} changes`);
});
