import t from "tap";
import { vignette } from "../../shaders/surface/vignette.ts";
import { applySurfaceEffect } from "./apply-surface-effect.ts";
import { backend } from "./backends.ts";
import { channels, largestDifference, pack, plain } from "./pixels.ts";

const WIDTH = 240;
const HEIGHT = 160;
const GREY = 160;
const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");

const sheet = {
  colour: plain(WIDTH, HEIGHT, pack(GREY, GREY, GREY)),
  width: WIDTH,
  height: HEIGHT,
};
const lay = (params: Record<string, number>) => applySurfaceEffect(runner, vignette, params, sheet);

/** Mean grey of a square of 16 pixels around a point. */
function grey(out: Float32Array, x: number, y: number): number {
  let sum = 0;
  for (let row = y - 8; row < y + 8; row++) {
    for (let column = x - 8; column < x + 8; column++) {
      sum += channels(out[row * WIDTH + column])[1];
    }
  }
  return sum / 256;
}

t.test("darkens all corners equally and keeps the middle third", async (t) => {
  const out = await lay({ strength: 0.6 });
  const corners = [8, WIDTH - 8].flatMap((x) => [8, HEIGHT - 8].map((y) => grey(out, x, y)));
  for (const corner of corners) {
    t.ok(corner < GREY * 0.75, `corner ${corner}`);
    t.ok(Math.abs(corner - corners[0]) < 1);
  }
  const middle = out.filter((_, index) => {
    const x = index % WIDTH;
    const y = Math.floor(index / WIDTH);
    return x >= WIDTH / 3 && x < (WIDTH * 2) / 3 && y >= HEIGHT / 3 && y < (HEIGHT * 2) / 3;
  });
  t.ok(middle.every((packed) => packed === sheet.colour[0]));
});

t.test("at strength s the very corner keeps 1 − s of the light", async (t) => {
  for (const strength of [0.25, 0.5, 0.75]) {
    const out = await lay({ strength });
    const corner = channels(out[0])[0] / 255;
    const light = (value: number) => ((value + 0.055) / 1.055) ** 2.4;
    t.ok(Math.abs(light(corner) / light(GREY / 255) - (1 - strength)) < 0.04, `${strength}`);
  }
});

t.test("follows the sheet's proportions: both middles of edges are darkened alike", async (t) => {
  const out = await lay({ strength: 1 });
  // A twentieth of the sheet from the edge, each way.
  const side = grey(out, WIDTH / 20, HEIGHT / 2);
  const top = grey(out, WIDTH / 2, HEIGHT / 20);
  t.ok(Math.abs(side - top) < 2, `${side} and ${top}`);
  t.ok(side < GREY - 20);
});

t.test("darkens steadily outwards, with no ring", async (t) => {
  const out = await lay({ strength: 1 });
  const along = Array.from({ length: 14 }, (_, step) =>
    grey(out, WIDTH / 2 + step * 8, HEIGHT / 2 + step * 5),
  );
  along.slice(1).forEach((value, step) => {
    t.ok(value <= along[step] + 0.3, `${along[step]} then ${value}`);
  });
});

t.test(
  "dithers: neighbouring tones of a plain ground mingle instead of making rings",
  async (t) => {
    const out = await lay({ strength: 0.2, radius: 0 });
    const middle = (HEIGHT / 2) * WIDTH;
    for (const channel of [0, 1, 2]) {
      const row = Array.from(
        out.slice(middle + WIDTH / 2, middle + WIDTH),
        (packed) => channels(packed)[channel],
      );
      const tones = new Set(row).size;
      const changes = row.filter((value, index) => index > 0 && value !== row[index - 1]).length;
      t.ok(tones >= 4 && changes > 2 * tones, `${changes} changes between ${tones} tones`);
    }
  },
);

t.test("the radius sets its start, softness its width", async (t) => {
  const late = await lay({ strength: 1, radius: 0.8 });
  t.equal(grey(late, 40, HEIGHT / 2), GREY);
  const hard = await lay({ strength: 0.5, radius: 0.5, softness: 0 });
  const values = new Set([...hard].map((packed) => Math.round(channels(packed)[0] / 8)));
  t.ok(values.size <= 4, "two tones");
  t.ok(largestDifference(hard, late) > 20);
});
