import t from "tap";
import { stain } from "../../../shaders/surface/stain.ts";
import { applySurfaceEffect } from "../apply-surface-effect.ts";
import { backend } from "../backends.ts";
import { channels, largestDifference, pack, plain } from "../pixels.ts";

const WIDTH = 360;
const HEIGHT = 240;
const PAPER = pack(244, 234, 216);
const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");

const lay = (params: Record<string, unknown>, packed = PAPER) =>
  applySurfaceEffect(runner, stain, params, {
    colour: plain(WIDTH, HEIGHT, packed),
    width: WIDTH,
    height: HEIGHT,
  });

/** Changed pixels. */
const stained = (out: Float32Array) =>
  [...out].flatMap((packed, index) =>
    packed === PAPER ? [] : [{ packed, x: index % WIDTH, y: Math.floor(index / WIDTH) }],
  );

t.test("darkens only what it touches", async (t) => {
  for (const seed of [1, 2, 3, 4]) {
    const touched = stained(await lay({ seed, count: 3 }));
    t.ok(touched.length > 200 && touched.length < (WIDTH * HEIGHT) / 2, `${touched.length}`);
    const before = channels(PAPER);
    t.ok(
      touched.every(({ packed }) =>
        channels(packed).every((value, channel) => value <= before[channel]),
      ),
    );
  }
});

t.test("a cup's ring has the cup's width and nothing in its middle", async (t) => {
  const size = 0.5;
  const cup = (size * HEIGHT) / 2;
  let whole = 0;
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const touched = stained(
      await lay({ seed, count: 1, rings: 1, size, roughness: 0, strength: 1 }),
    );
    const [left, right] = [touched.map(({ x }) => x), touched.map(({ x }) => -x)].map((all) =>
      all.reduce((least, x) => Math.min(least, x)),
    );
    const [top, bottom] = [touched.map(({ y }) => y), touched.map(({ y }) => -y)].map((all) =>
      all.reduce((least, y) => Math.min(least, y)),
    );
    // Rings across the edge, or with a side without coffee, are not measured.
    if (left === 0 || top === 0 || -right === WIDTH - 1 || -bottom === HEIGHT - 1) continue;
    const [x, y] = [(left - right) / 2, (top - bottom) / 2];
    if (-right - left < 1.9 * cup || -bottom - top < 1.9 * cup) continue;
    whole += 1;
    t.ok(-right - left <= 2 * cup + 1, `${-right - left} across`);
    const inner = touched.filter((pixel) => Math.hypot(pixel.x - x, pixel.y - y) < cup * 0.8);
    t.equal(inner.length, 0, "clean inside");
  }
  t.ok(whole > 0, `${whole} whole rings`);
});

t.test("a spot's rim is darker than its inside", async (t) => {
  const out = await lay({
    count: 1,
    rings: 0,
    drops: 0,
    roughness: 0,
    rim: 1,
    strength: 1,
    size: 0.6,
  });
  const touched = stained(out);
  const x = touched.reduce((sum, pixel) => sum + pixel.x, 0) / touched.length;
  const y = touched.reduce((sum, pixel) => sum + pixel.y, 0) / touched.length;
  const radius = Math.sqrt(touched.length / Math.PI);
  const grey = (from: number, to: number) => {
    const part = touched.filter((pixel) => {
      const away = Math.hypot(pixel.x - x, pixel.y - y) / radius;
      return away >= from && away < to;
    });
    return part.reduce((sum, pixel) => sum + channels(pixel.packed)[1], 0) / part.length;
  };
  t.ok(grey(0.92, 1) < grey(0, 0.6) - 12, `${grey(0.92, 1)} and ${grey(0, 0.6)}`);
});

t.test("more stains cover more, and other seeds have other positions", async (t) => {
  const few = stained(await lay({ count: 1, rings: 0 })).length;
  const many = stained(await lay({ count: 10, rings: 0 })).length;
  t.ok(many > 3 * few, `${few} and ${many}`);
  t.ok(largestDifference(await lay({ seed: 1 }), await lay({ seed: 2 })) > 20);
});

t.test("scales with the sheet", async (t) => {
  const params = { rings: 0, drops: 0, roughness: 0, count: 3 };
  const share = stained(await lay(params)).length / (WIDTH * HEIGHT);
  const large = await applySurfaceEffect(runner, stain, params, {
    colour: plain(2 * WIDTH, 2 * HEIGHT, PAPER),
    width: 2 * WIDTH,
    height: 2 * HEIGHT,
  });
  const largeShare = large.filter((packed) => packed !== PAPER).length / large.length;
  t.ok(Math.abs(share - largeShare) < 0.01, `${share} and ${largeShare}`);
});
