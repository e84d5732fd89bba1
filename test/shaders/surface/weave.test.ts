/** What both cloths have in common, and how they differ. */
import t from "tap";
import { canvas } from "../../../shaders/surface/canvas.ts";
import { linen } from "../../../shaders/surface/linen.ts";
import { applySurfaceEffect, fromPixels } from "../apply-surface-effect.ts";
import { backend } from "../backends.ts";
import { channels, pack, plain } from "../pixels.ts";
import { correlation, deviation, mean, planeOf, profile } from "./statistics.ts";

const SIDE = 320;
const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");

const lay = (cloth: typeof canvas, packed: number, params: Record<string, number>) =>
  applySurfaceEffect(runner, cloth, fromPixels(params, "size"), {
    colour: plain(SIDE, SIDE, packed),
    width: SIDE,
    height: SIDE,
  });

const GREY = pack(128, 128, 128);

/** Means of so many neighbours. */
const smoothed = (values: readonly number[], count: number) =>
  values.slice(count - 1).map((_, at) => mean(values.slice(at, at + count)));

for (const cloth of [canvas, linen]) {
  t.test(
    `${cloth.id} keeps the mean of greys and shows on white, on black and between`,
    async (t) => {
      for (const grey of [0, 64, 128, 192, 255]) {
        const { values } = planeOf(await lay(cloth, pack(grey, grey, grey), {}), SIDE);
        const kept = grey === 0 || grey === 255 ? 20 : 4;
        t.ok(Math.abs(mean(values) - grey) < kept, `${grey} became ${mean(values)}`);
        t.ok(deviation(values) > 1.5, `deviation ${deviation(values)} on ${grey}`);
      }
    },
  );

  t.test(`${cloth.id} is a plain weave`, async (t) => {
    const even = { strength: 1, size: 8, irregularity: 0, slubs: 0 };
    const plane = planeOf(await lay(cloth, GREY, even), SIDE);
    for (const [right, down] of [
      [16, 0],
      [0, 16],
      [8, 8],
    ] as const) {
      const same = correlation(plane, right, down);
      t.ok(same > 0.35, `the same two threads on: ${same}`);
      const other = correlation(plane, right === 16 ? 8 : right, down === 16 ? 8 : 0);
      t.ok(other < same - 0.2, `another thread on top beside it: ${other}`);
    }
  });

  t.test(`${cloth.id} has unequal threads on request`, async (t) => {
    const params = { strength: 1, size: 8, slubs: 0 };
    const even = planeOf(await lay(cloth, GREY, { ...params, irregularity: 0 }), SIDE);
    const uneven = planeOf(await lay(cloth, GREY, { ...params, irregularity: 1 }), SIDE);
    for (const [right, down] of [
      [160, 0],
      [0, 160],
    ] as const) {
      const [same, other] = [correlation(even, right, down), correlation(uneven, right, down)];
      t.ok(other < same - 0.1, `twenty threads on: ${same} even, ${other} uneven`);
    }
  });

  t.test(`${cloth.id} has lighter and darker threads on request`, async (t) => {
    const tones = async (irregularity: number) => {
      const params = { strength: 1, size: 8, slubs: 0, irregularity };
      return deviation(
        smoothed(profile(planeOf(await lay(cloth, GREY, params), SIDE), "rows"), 16),
      );
    };
    const [even, uneven] = [await tones(0), await tones(1)];
    t.ok(uneven > 4 * even, `${even} even, ${uneven} uneven`);
  });

  t.test(`${cloth.id} shows no moiré at any size`, async (t) => {
    for (const size of [2, 2.1, 2.9, 3.05, 4.4]) {
      const plane = planeOf(
        await lay(cloth, GREY, { strength: 1, size, irregularity: 0, slubs: 0 }),
        SIDE,
      );
      for (const lines of ["columns", "rows"] as const) {
        const smooth = smoothed(profile(plane, lines), 25);
        t.ok(deviation(smooth) < 2, `${lines} at size ${size}: ${deviation(smooth)}`);
      }
    }
  });
}

t.test("linen has streaks along its threads, both ways, and canvas hardly any", async (t) => {
  const streaks = async (cloth: typeof canvas, lines: "columns" | "rows") => {
    const plane = planeOf(await lay(cloth, GREY, { strength: 1, size: 4 }), SIDE);
    // Two threads: the remainder is not the weave.
    return deviation(smoothed(profile(plane, lines), 8));
  };
  for (const lines of ["columns", "rows"] as const) {
    const [fine, coarse] = [await streaks(linen, lines), await streaks(canvas, lines)];
    t.ok(fine > 1.3 * coarse, `${lines}: ${fine} and ${coarse}`);
  }
});

t.test("linen's highlights are paler than its hollows, canvas's are not", async (t) => {
  const saturation = async (cloth: typeof canvas) => {
    const out = await lay(cloth, pack(150, 60, 40), { strength: 1, size: 8 });
    const shares = [...out]
      .sort((a, b) => channels(a)[1] - channels(b)[1])
      .map((packed) => channels(packed))
      .map(([red, green, blue]) => 1 - Math.min(red, green, blue) / Math.max(red, green, blue));
    const tenth = shares.length / 10;
    return { dark: mean(shares.slice(0, tenth)), light: mean(shares.slice(-tenth)) };
  };
  const [ofLinen, ofCanvas] = [await saturation(linen), await saturation(canvas)];
  t.ok(ofLinen.light < ofLinen.dark - 0.1, `${ofLinen.light} and ${ofLinen.dark}`);
  t.ok(ofCanvas.light > ofLinen.light + 0.1, `${ofCanvas.light}`);
});
