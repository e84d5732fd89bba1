import t from "tap";
import { folds } from "../../../shaders/surface/folds.ts";
import { applySurfaceEffect, fromPixels } from "../apply-surface-effect.ts";
import { backend } from "../backends.ts";
import { channels, largestDifference, pack, plain } from "../pixels.ts";

const WIDTH = 400;
const HEIGHT = 300;
const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");

const GREY = pack(128, 128, 128);

const lay = (packed: number, params: Record<string, number>) =>
  applySurfaceEffect(runner, folds, fromPixels(params, "width"), {
    colour: plain(WIDTH, HEIGHT, packed),
    width: WIDTH,
    height: HEIGHT,
  });

t.test("keeps the middle of every panel without shading", async (t) => {
  for (const [columns, rows] of [
    [4, 3],
    [2, 5],
    [7, 1],
  ] as const) {
    const out = await lay(GREY, { strength: 1, wear: 1, shading: 0, columns, rows });
    for (let column = 0; column < columns; column++) {
      for (let row = 0; row < rows; row++) {
        const x = Math.floor(((column + 0.5) * WIDTH) / columns);
        const y = Math.floor(((row + 0.5) * HEIGHT) / rows);
        t.equal(out[y * WIDTH + x], GREY, `${columns} × ${rows}: ${column}, ${row}`);
      }
    }
  }
});

t.test("has a crease with worn ink between neighbouring panels", async (t) => {
  const [columns, rows] = [5, 3];
  const out = await lay(0, { strength: 1, wear: 1, columns, rows, width: 3 });
  /** Segments of bare paper along a row of panels, shorter than a panel's width. */
  const crossings = (count: number, at: (step: number) => number, panel: number) => {
    const places: number[] = [];
    for (let step = 0; step < count; step++) {
      const bare = channels(out[at(step)])[1] > 120;
      if (bare && step - (places.at(-1) ?? Number.NEGATIVE_INFINITY) > panel / 2) places.push(step);
    }
    return places;
  };
  const across = crossings(WIDTH, (x) => 50 * WIDTH + x, WIDTH / columns);
  t.equal(across.length, columns - 1, across.join(" "));
  const down = crossings(HEIGHT, (y) => y * WIDTH + 40, HEIGHT / rows);
  t.equal(down.length, rows - 1, down.join(" "));
});

t.test("a single panel changes only by its light", async (t) => {
  const one = { columns: 1, rows: 1, strength: 1, wear: 1 };
  t.ok((await lay(GREY, { ...one, shading: 0 })).every((packed) => packed === GREY));
  const shaded = await lay(GREY, { ...one, shading: 1 });
  t.ok(largestDifference(shaded, plain(WIDTH, HEIGHT, shaded[0])) <= 1);
});

t.test("without wear no ink is lost: black stays nearly black, even on the creases", async (t) => {
  const bare = (out: Float32Array) => out.filter((packed) => channels(packed)[1] > 60).length;
  t.equal(bare(await lay(0, { strength: 1, wear: 0 })), 0);
  const [little, much] = [
    bare(await lay(0, { strength: 1, wear: 0.3 })),
    bare(await lay(0, { strength: 1, wear: 1 })),
  ];
  t.ok(little > 0 && much > 1.5 * little, `${little} and ${much}`);
});

t.test("each crease has a lit and a shaded side", async (t) => {
  const out = await lay(GREY, { strength: 1, wear: 0, shading: 0, columns: 2, rows: 1, width: 4 });
  const side = (x: number) => {
    let sum = 0;
    for (let y = 0; y < HEIGHT; y++) sum += channels(out[y * WIDTH + x])[1];
    return sum / HEIGHT - 128;
  };
  const [left, right] = [side(WIDTH / 2 - 14), side(WIDTH / 2 + 14)];
  t.ok(left * right < 0 && Math.abs(left - right) > 20, `${left} and ${right}`);
});
