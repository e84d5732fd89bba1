import t from "tap";
import { misregistration } from "../../../shaders/surface/misregistration.ts";
import { applySurfaceEffect, fromPixels } from "../apply-surface-effect.ts";
import { backend } from "../backends.ts";
import { channels, largestDifference, pack, plain } from "../pixels.ts";

const WIDTH = 200;
const HEIGHT = 120;
const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");

const lay = (colour: Float32Array, params: Record<string, unknown>) =>
  applySurfaceEffect(runner, misregistration, fromPixels(params, "shift", "turn"), {
    colour,
    width: WIDTH,
    height: HEIGHT,
  });

/** A dark disc in the middle of light paper. */
const disc = Float32Array.from({ length: WIDTH * HEIGHT }, (_, index) => {
  const away = Math.hypot((index % WIDTH) - 99.5, Math.floor(index / WIDTH) - 59.5);
  return away < 30 ? pack(30, 60, 90) : pack(250, 240, 225);
});

/** Middle of what is dark in a channel. */
function middle(out: Float32Array, channel: 0 | 1 | 2): { readonly x: number; readonly y: number } {
  let [x, y, total] = [0, 0, 0];
  out.forEach((packed, index) => {
    const dark = Math.max(0, 220 - channels(packed)[channel]);
    x += dark * (index % WIDTH);
    y += dark * Math.floor(index / WIDTH);
    total += dark;
  });
  return { x: x / total, y: y / total };
}

t.test("a plain ground stays as it is, to the bit", async (t) => {
  for (const packed of [0, 0xffffff, pack(1, 2, 3), pack(127, 128, 129), pack(200, 30, 5)]) {
    for (const black of [0, 0.5, 0.9]) {
      const colour = plain(WIDTH, HEIGHT, packed);
      const out = await lay(colour, { shift: 9.3, turn: 7, black });
      t.equal(largestDifference(out, colour), 0, `${channels(packed)} with black ${black}`);
    }
  }
});

t.test("plates without shift and rotation align", async (t) => {
  const out = await lay(disc, { shift: 0, turn: 0 });
  t.ok(largestDifference(out, disc) <= 1);
});

t.test("plates shift in different directions, at most by the shift", async (t) => {
  const shift = 6;
  for (const seed of [1, 2, 3, 4]) {
    const out = await lay(disc, { shift, turn: 0, black: 0, seed });
    const moved = ([0, 1, 2] as const).map((channel) => {
      const { x, y } = middle(out, channel);
      return { x: x - 99.5, y: y - 59.5 };
    });
    const lengths = moved.map(({ x, y }) => Math.hypot(x, y));
    t.ok(Math.abs(Math.max(...lengths) - shift) < 0.3, `${lengths}`);
    moved.forEach((one, plate) => {
      const other = moved[(plate + 1) % 3];
      t.ok(Math.hypot(one.x - other.x, one.y - other.y) > shift / 3, "apart");
    });
  }
});

t.test("a turn moves the sheet's edges and not its middle", async (t) => {
  const lines = Float32Array.from({ length: WIDTH * HEIGHT }, (_, index) =>
    Math.floor(index / WIDTH) === 60 ? 0 : 0xffffff,
  );
  const out = await lay(lines, { shift: 0, turn: 20, black: 0 });
  const row = (column: number, channel: 0 | 1 | 2) =>
    Array.from({ length: HEIGHT }, (_, y) => channels(out[y * WIDTH + column])[channel])
      .map((value, y) => ({ value, y }))
      .reduce((darkest, next) => (next.value < darkest.value ? next : darkest)).y;
  for (const channel of [0, 1, 2] as const) {
    t.ok(Math.abs(row(WIDTH / 2, channel) - 60) <= 1, "the middle stays");
    t.ok(Math.abs(row(4, channel) - row(WIDTH - 5, channel)) > 8, "left and right part");
  }
});

t.test("the black plate stays in place", async (t) => {
  // Two pixels inside the disc's edge, where the shifted plates leave gaps.
  const [inside, rim] = [60 * WIDTH + 100, 60 * WIDTH + 72];
  const edge = (out: Float32Array) => {
    const before = channels(disc[inside]);
    const apart = channels(out[rim]).map((value, channel) => Math.abs(value - before[channel]));
    return Math.max(...apart);
  };
  let [coloured, held] = [0, 0];
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    coloured += edge(await lay(disc, { shift: 10, turn: 0, black: 0, seed }));
    held += edge(await lay(disc, { shift: 10, turn: 0, black: 0.9, seed }));
  }
  t.ok(coloured > 1.8 * held, `${coloured} and ${held}`);
});
