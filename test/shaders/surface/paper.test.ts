import t from "tap";
import { paper } from "../../../shaders/surface/paper.ts";
import { applySurfaceEffect, fromPixels } from "../apply-surface-effect.ts";
import { backend } from "../backends.ts";
import { largestDifference, pack, plain } from "../pixels.ts";
import { correlation, deviation, mean, planeOf } from "./statistics.ts";

const SIDE = 384;
const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is missing");

const lay = (grey: number, params: Record<string, number>, width = SIDE, height = SIDE) =>
  applySurfaceEffect(runner, paper, fromPixels(params, "size"), {
    colour: plain(width, height, pack(grey, grey, grey)),
    width,
    height,
  });

t.test("keeps the mean of greys and shows on white, on black and between", async (t) => {
  for (const grey of [64, 128, 192]) {
    const { values } = planeOf(await lay(grey, {}), SIDE);
    t.ok(Math.abs(mean(values) - grey) < 4, `${grey} became ${mean(values)}`);
    t.ok(deviation(values) > 2.5, `deviation ${deviation(values)} on ${grey}`);
  }
  for (const grey of [0, 255]) {
    const { values } = planeOf(await lay(grey, {}), SIDE);
    t.ok(Math.abs(mean(values) - grey) < 20, `${grey} became ${mean(values)}`);
    t.ok(deviation(values) > 2.5, `deviation ${deviation(values)} on ${grey}`);
  }
});

t.test("the distance of bumps is the configured size", async (t) => {
  const fine = planeOf(await lay(128, { strength: 1, size: 4, fibres: 0, absorbency: 0 }), SIDE);
  const rough = planeOf(await lay(128, { strength: 1, size: 16, fibres: 0, absorbency: 0 }), SIDE);
  t.ok(correlation(fine, 4, 0) < 0.2, `${correlation(fine, 4, 0)}`);
  t.ok(correlation(rough, 4, 0) > 0.4, `${correlation(rough, 4, 0)}`);
});

t.test("does not repeat at the distance of its pieces or table", async (t) => {
  const params = { strength: 1, absorbency: 0 };
  const square = planeOf(await lay(128, params), SIDE);
  for (const [right, down] of [
    [120, 0],
    [60, 104],
    [256, 0],
    [0, 256],
  ] as const) {
    const apart = correlation(square, right, down);
    t.ok(Math.abs(apart) < 0.1, `${right}, ${down}: ${apart}`);
  }
  const wide = planeOf(await lay(128, params, 4608, 24), 4608);
  for (const right of [512, 1024, 2048, 4096]) {
    const apart = correlation(wide, right, 0);
    t.ok(Math.abs(apart) < 0.1, `${right}: ${apart}`);
  }
});

t.test("has uniform strength: pieces join without seams or blur", async (t) => {
  const { values } = planeOf(await lay(128, { strength: 1, size: 3, absorbency: 0 }), SIDE);
  const blocks = Array.from({ length: 64 }, (_, block) =>
    deviation(
      values.filter(
        (_, index) =>
          Math.floor((index % SIDE) / 48) === block % 8 &&
          Math.floor(index / SIDE / 48) === Math.floor(block / 8),
      ),
    ),
  );
  t.ok(Math.max(...blocks) / Math.min(...blocks) < 1.4, blocks.map(Math.round).join(" "));
});

t.test("takes inks unevenly and leaves white to the light", async (t) => {
  const [evenly, unevenly] = [{ absorbency: 0 }, { absorbency: 1 }];
  t.equal(largestDifference(await lay(255, evenly), await lay(255, unevenly)), 0);
  t.ok(largestDifference(await lay(128, evenly), await lay(128, unevenly)) > 4);
});
