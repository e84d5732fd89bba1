/** Prints: pictures sampled by millimetres, at any size. */
import t from "tap";
import { openBackend } from "../../../engine/backend.ts";
import { SRGB8_TO_LINEAR } from "../../../engine/image/transfer.ts";
import { headerBytes } from "../../../engine/mockups/map.ts";
import type { Outline } from "../../../engine/mockups/outline.ts";
import { type Print, printOf } from "../../../engine/mockups/print.ts";
import { pyramidOf } from "../../../engine/mockups/pyramid.ts";
import { rasterise } from "../../../engine/mockups/rasterise.ts";
import { createSampleBlocks } from "../../../engine/mockups/sample-blocks.ts";
import { mapOf } from "../../helpers/mockups.ts";
import { hash } from "../../helpers/pictures.ts";

const BLACK = 0;
const WHITE = 0xffffff;

/** Packed colours of a picture of which a function says which pixels are white. */
const picture = (width: number, height: number, white: (x: number, y: number) => boolean) => ({
  colour: Float32Array.from({ length: width * height }, (_, i) =>
    white(i % width, Math.floor(i / width)) ? WHITE : BLACK,
  ),
  alpha: null,
});

const square = (size: number) => ({ ux: size, uy: 0, vx: 0, vy: size });

interface Look extends Outline {
  readonly u: number;
  readonly v: number;
}

const look = (u: number, v: number, outline: Outline = square(0)): Look => ({ u, v, ...outline });

const runner = await openBackend("webasm");
t.teardown(() => runner.close());

/** The light of looks at a print on a product of one colour: red, green and blue of each, 0…1. */
async function lightsOf(print: Print, looks: readonly Look[], bare = 0): Promise<number[][]> {
  const wholes = createSampleBlocks();
  for (const { u, v, ...outline } of looks) {
    const shown = { piece: 1, red: 0, green: 0, blue: 0, mask: 1, shading: 1, highlight: 0 };
    wholes.add({ ...shown, u, v }, outline, 1);
  }
  const size = Math.ceil(Math.sqrt(looks.length));
  const head = { size, runs: 1, edges: 0, wholes: looks.length, parts: 0, density: 1 };
  const background = new Uint8Array(3 * size * size).fill(bare);
  const run = new Uint8Array(Uint32Array.of(0, looks.length).buffer);
  const map = mapOf([headerBytes(head), background, run, ...wholes.blocks]);
  const pixels = await rasterise(runner, map, print, async () => undefined);
  return looks.map((_, i) =>
    Array.from(pixels.subarray(3 * i, 3 * i + 3), (byte) => SRGB8_TO_LINEAR[byte]),
  );
}

const redsOf = async (print: Print, looks: readonly Look[]) =>
  (await lightsOf(print, looks)).map(([red]) => red);

t.test("every level of a pyramid has the picture's mean, whatever its size", async (t) => {
  for (const [width, height] of [
    [64, 64],
    [20, 28],
    [13, 7],
    [1, 9],
  ] as const) {
    const colour = Float32Array.from({ length: width * height }, (_, i) =>
      Math.floor(hash(i, 3) * 0x1000000),
    );
    const { texels, sizes } = pyramidOf({ colour, alpha: null }, width, true);
    const means = sizes.map((size) => {
      let sum = 0;
      for (let row = 1; row <= size.height; row++) {
        for (let column = 1; column <= size.width; column++) {
          const texel = texels[size.first + row * (size.width + 2) + column];
          sum += ((texel >> 16) / 255) ** 2;
        }
      }
      return sum / size.width / size.height;
    });
    // Roots have 8 bits; those of few texels are rounded by up to half of one.
    for (const mean of means)
      t.ok(Math.abs(mean - means[0]) < 1 / 255, `${width} × ${height}: ${mean}`);
    t.match(sizes.at(-1), { width: 1, height: 1 });
  }
});

t.test("interpolates linear light between texels", async (t) => {
  const print = printOf(
    picture(4, 4, (x) => x >= 2),
    4,
    { width: 40, height: 40, repeats: true },
  );
  const places = [15, 25, 20, 17.5].map((u) => look(u, 20));
  const [left, right, middle, quarter] = await redsOf(print, places);
  t.equal(left, 0);
  t.equal(right, 1);
  t.ok(Math.abs(middle - 0.5) < 0.004, `${middle}`);
  t.ok(Math.abs(quarter - 0.25) < 0.004, `${quarter}`);
});

t.test("a repeating print wraps at its edges, any other clamps", async (t) => {
  const corner = picture(8, 8, (x, y) => x < 2 && y < 2);
  const size = { width: 80, height: 80 };
  const endless = printOf(corner, 8, { ...size, repeats: true });
  for (const [u, v] of [
    [10, 10],
    [33, 7],
    [-4, 71],
  ] as const) {
    const shifts = [0, -240, -80, 80, 8000];
    const shifted = shifts.flatMap((shift) => [
      look(u + shift, v, square(9)),
      look(u, v + shift, square(9)),
    ]);
    const reds = await redsOf(endless, shifted);
    for (const red of reds) t.ok(Math.abs(red - reds[0]) < 0.004, `${red}, not ${reds[0]}`);
  }
  const edges = await redsOf(endless, [look(0, 10), look(80, 10), look(10, 80)]);
  for (const red of edges) t.ok(Math.abs(red - 0.5) < 0.004, "half black at the edge");
  const sheet = printOf(corner, 8, { ...size, repeats: false });
  t.same(await redsOf(sheet, [look(-500, 5), look(500, 5)]), [1, 0]);
});

t.test(
  "a checkerboard finer than the pixels gives its mean light, in every direction",
  async (t) => {
    const print = printOf(
      picture(62, 62, (x, y) => (x + y) % 2 === 0),
      62,
      { width: 62, height: 62, repeats: true },
    );
    const outlines = {
      square: square(6.3),
      wide: { ux: 31, uy: 0, vx: 0, vy: 5 },
      tall: { ux: 5, uy: 0, vx: 0, vy: 40 },
      askew: { ux: 12, uy: -7, vx: 9, vy: 11 },
      "larger than the period": square(900),
    };
    for (const [name, outline] of Object.entries(outlines)) {
      const looks = Array.from({ length: 50 }, (_, k) =>
        look(62 * hash(k, 1), 62 * hash(k, 2), outline),
      );
      for (const red of await redsOf(print, looks)) {
        t.ok(Math.abs(red - 0.5) < 0.02, `${name}: ${red}`);
      }
    }
  },
);

t.test("an elongated footprint blurs along its axis only", async (t) => {
  const size = { width: 64, height: 64, repeats: true };
  const print = printOf(
    picture(64, 64, (x) => x % 16 < 8),
    64,
    size,
  );
  const along = { ux: 0.8, uy: 0, vx: 0, vy: 12 };
  const across = { ux: 16, uy: 0, vx: 0, vy: 0.8 };
  const reds = await redsOf(print, [look(4, 30, along), look(12, 30, along), look(4, 30, across)]);
  t.ok(reds[0] > 0.99, "stripes along the footprint are kept");
  t.ok(reds[1] < 0.01);
  t.ok(Math.abs(reds[2] - 0.5) < 0.1, "and mix under one across them");
  const oblique = printOf(
    picture(64, 64, (x, y) => (x + y) % 32 < 16),
    64,
    size,
  );
  for (const turn of [1, 0.8, 1.25]) {
    const withThem = { ux: 9, uy: 0.5, vx: -9 * turn, vy: 0.5 };
    const acrossThem = { ux: 20, uy: -0.5, vx: 20 * turn, vy: 0.5 };
    const [kept, mixed] = await redsOf(oblique, [look(20, 20, withThem), look(20, 20, acrossThem)]);
    t.ok(kept > 0.95, `${kept}`);
    t.ok(mixed < 0.9, `${mixed}`);
  }
});

t.test("transparent places are premultiplied", async (t) => {
  const colour = Float32Array.of(0xff0000, 0x00ff00, 0xff0000, 0x00ff00);
  const alpha = Float32Array.of(255, 0, 255, 0);
  const print = printOf({ colour, alpha }, 2, { width: 2, height: 2, repeats: true });
  const [[red, green]] = await lightsOf(print, [look(1, 1, square(2))]);
  t.ok(red > 0.4 && red < 0.6, "half of the red");
  t.equal(green, 0, "nothing of what cannot be seen");
  // Colours under print are stored with half their light: 188 is about 0.5, and so white.
  const [[onWhite, below]] = await lightsOf(print, [look(1, 1, square(2))], 188);
  t.ok(onWhite > 0.99, `${onWhite}`);
  t.ok(Math.abs(below - (1 - red)) < 0.01, `${below}`);
});
