/** Prints: a picture looked up by millimetres, at any size. */
import t from "tap";
import { type Print, printOf } from "../../../engine/mockups/print.ts";
import { pyramidOf } from "../../../engine/mockups/pyramid.ts";
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

function redOf(print: Print, u: number, v: number, outline = square(0)): number {
  const into = new Float64Array(4);
  print.lookUp(u, v, outline, into);
  return into[0];
}

t.test("every level of a pyramid has the mean of the picture, whatever its sides", async (t) => {
  for (const [width, height] of [
    [64, 64],
    [20, 28],
    [13, 7],
    [1, 9],
  ] as const) {
    const colour = Float32Array.from({ length: width * height }, (_, i) =>
      Math.floor(hash(i, 3) * 0x1000000),
    );
    const levels = pyramidOf({ colour, alpha: null }, width);
    const means = levels.map(({ texels }) => {
      const reds = texels.filter((_, i) => i % 4 === 0);
      return reds.reduce((sum, red) => sum + red, 0) / reds.length / 65535;
    });
    for (const mean of means)
      t.ok(Math.abs(mean - means[0]) < 2e-4, `${width} × ${height}: ${mean}`);
    t.match(levels.at(-1), { width: 1, height: 1 });
  }
});

t.test("between two texels a print mixes their light", async (t) => {
  const pyramid = pyramidOf(
    picture(4, 4, (x) => x >= 2),
    4,
  );
  const print = printOf(pyramid, { width: 40, height: 40, repeats: true });
  t.equal(redOf(print, 15, 20), 0);
  t.equal(redOf(print, 25, 20), 1);
  t.ok(Math.abs(redOf(print, 20, 20) - 0.5) < 1e-6);
  t.ok(Math.abs(redOf(print, 17.5, 20) - 0.25) < 1e-6);
});

t.test("a print that repeats goes on beyond its edges, another ends in them", async (t) => {
  const pyramid = pyramidOf(
    picture(8, 8, (x, y) => x < 2 && y < 2),
    8,
  );
  const endless = printOf(pyramid, { width: 80, height: 80, repeats: true });
  for (const [u, v] of [
    [10, 10],
    [33, 7],
    [-4, 71],
  ] as const) {
    const here = redOf(endless, u, v, square(9));
    for (const shift of [-240, -80, 80, 8000]) {
      t.ok(Math.abs(redOf(endless, u + shift, v, square(9)) - here) < 1e-9);
      t.ok(Math.abs(redOf(endless, u, v + shift, square(9)) - here) < 1e-9);
    }
  }
  for (const [u, v] of [
    [0, 10],
    [80, 10],
    [10, 80],
  ] as const) {
    t.ok(Math.abs(redOf(endless, u, v) - 0.5) < 1e-6, "half black at the edge");
  }
  const sheet = printOf(pyramid, { width: 80, height: 80, repeats: false });
  t.equal(redOf(sheet, -500, 5), 1);
  t.equal(redOf(sheet, 500, 5), 0);
});

t.test("a checkerboard finer than the pixels is its mean light, from every side", async (t) => {
  const pyramid = pyramidOf(
    picture(62, 62, (x, y) => (x + y) % 2 === 0),
    62,
  );
  const print = printOf(pyramid, { width: 62, height: 62, repeats: true });
  const outlines = {
    square: square(6.3),
    wide: { ux: 31, uy: 0, vx: 0, vy: 5 },
    tall: { ux: 5, uy: 0, vx: 0, vy: 40 },
    askew: { ux: 12, uy: -7, vx: 9, vy: 11 },
    "larger than the period": square(900),
  };
  for (const [name, outline] of Object.entries(outlines)) {
    for (let k = 0; k < 50; k++) {
      const red = redOf(print, 62 * hash(k, 1), 62 * hash(k, 2), outline);
      t.ok(Math.abs(red - 0.5) < 0.02, `${name}: ${red}`);
    }
  }
});

t.test("a long outline blurs along itself only", async (t) => {
  const pyramid = pyramidOf(
    picture(64, 64, (x) => x % 16 < 8),
    64,
  );
  const print = printOf(pyramid, { width: 64, height: 64, repeats: true });
  const along = { ux: 0.8, uy: 0, vx: 0, vy: 12 };
  const across = { ux: 16, uy: 0, vx: 0, vy: 0.8 };
  t.ok(redOf(print, 4, 30, along) > 0.99, "stripes stay under an outline that lies along them");
  t.ok(redOf(print, 12, 30, along) < 0.01);
  t.ok(Math.abs(redOf(print, 4, 30, across) - 0.5) < 0.1, "and mix under one across them");
  const oblique = printOf(
    pyramidOf(
      picture(64, 64, (x, y) => (x + y) % 32 < 16),
      64,
    ),
    { width: 64, height: 64, repeats: true },
  );
  for (const turn of [1, 0.8, 1.25]) {
    const withThem = { ux: 9, uy: 0.5, vx: -9 * turn, vy: 0.5 };
    const acrossThem = { ux: 20, uy: -0.5, vx: 20 * turn, vy: 0.5 };
    t.ok(redOf(oblique, 20, 20, withThem) > 0.95, `${redOf(oblique, 20, 20, withThem)}`);
    t.ok(redOf(oblique, 20, 20, acrossThem) < 0.9, `${redOf(oblique, 20, 20, acrossThem)}`);
  }
});

t.test("transparent places are premultiplied", async (t) => {
  const colour = Float32Array.of(0xff0000, 0x00ff00, 0xff0000, 0x00ff00);
  const alpha = Float32Array.of(255, 0, 255, 0);
  const print = printOf(pyramidOf({ colour, alpha }, 2), { width: 2, height: 2, repeats: true });
  const into = new Float64Array(4);
  print.lookUp(1, 1, square(2), into);
  t.ok(into[0] > 0.4 && into[0] < 0.6, "half of the red");
  t.equal(into[1], 0, "nothing of what cannot be seen");
  t.ok(Math.abs(into[3] - into[0]) < 1e-4);
});
