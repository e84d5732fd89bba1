/** Rasterised scenes with known light. */
import t from "tap";
import { SRGB8_TO_LINEAR } from "../../../engine/image/transfer.ts";
import { makeMap } from "../../../engine/mockups/make-map.ts";
import { type Print, printOf } from "../../../engine/mockups/print.ts";
import { type Fragment, MOCKUP_SIZE, type Scene } from "../../../scenes/scene.ts";
import { createRasteriser } from "../../helpers/mockups.ts";

const SIZE = 160;

/** Units of a scene to one of these pixels. */
const UNITS = MOCKUP_SIZE / SIZE;

const sceneOf = (look: (x: number, y: number) => Partial<Fragment>): Scene => ({
  sample(x, y, fragment) {
    const nothing = { piece: 0, red: 0, green: 0, blue: 0, mask: 0, u: 0, v: 0, shading: 1 };
    Object.assign(fragment, { ...nothing, highlight: 0, ...look(x, y) });
  },
});

const printed = (u: number, v: number) => ({ piece: 1, mask: 1, u, v });

/** Stripes of a period in millimetres, black and white, upright. */
function stripes(period: number): Print {
  const colour = Float32Array.from({ length: 64 * 4 }, (_, i) => (i % 64 < 32 ? 0 : 0xffffff));
  return printOf({ colour, alpha: null }, 64, { width: period, height: period, repeats: true });
}

/** Linear light of the red of a row's pixels. */
const rowOf = (pixels: Uint8Array, y: number) =>
  Array.from({ length: SIZE }, (_, x) => SRGB8_TO_LINEAR[pixels[3 * (y * SIZE + x)]]);

/** Where a row's light crosses the half upwards, in pixels. */
function risesOf(row: readonly number[]): number[] {
  return row.flatMap((light, x) => {
    const before = row[x - 1] ?? light;
    return before < 0.5 && light >= 0.5 ? [x - 0.5 + (0.5 - before) / (light - before)] : [];
  });
}

t.test("a straight edge is antialiased by coverage", async (t) => {
  const rasterise = await createRasteriser(t);
  const slope = 0.18;
  const scene = sceneOf((x, y) =>
    y < 5 * UNITS + slope * x ? { piece: 1, red: 1, green: 1, blue: 1 } : {},
  );
  const pixels = await rasterise(scene, stripes(10), SIZE);
  for (let x = 5; x < SIZE - 5; x++) {
    const column = Array.from({ length: SIZE }, (_, y) => rowOf(pixels, y)[x]);
    const height = column.reduce((sum, light) => sum + light, 0);
    const expected = 5 + slope * (x + 0.5);
    t.ok(Math.abs(height - expected) < 0.16, `column ${x}: ${height}, expected ${expected}`);
    t.ok(column.filter((light) => light > 0.02 && light < 0.98).length <= 2, "and no others");
  }
});

t.test("scales a print in millimetres", async (t) => {
  const rasterise = await createRasteriser(t);
  const perUnit = 0.31;
  const scene = sceneOf((x, y) => printed(x * perUnit, y * perUnit));
  for (const period of [25, 40, 90]) {
    const pixels = await rasterise(scene, stripes(period), SIZE);
    const rises = risesOf(rowOf(pixels, 70));
    const distance = (rises.at(-1) ?? 0) - rises[0];
    const expected = (period / perUnit / UNITS) * (rises.length - 1);
    t.ok(rises.length > 3, `${rises.length} stripes of ${period} mm`);
    t.ok(Math.abs(distance - expected) < 0.2, `${distance} pixels, expected ${expected}`);
    t.ok(Math.abs(rises[0] * UNITS * perUnit - period / 2) < 0.3, "from the print's corner on");
  }
});

t.test("detail finer than a pixel keeps its mean light without aliasing", async (t) => {
  const rasterise = await createRasteriser(t);
  const period = 5;
  for (const perUnit of [0.7, 1.3, 2.45, 7.3]) {
    // A square pixel passes sinc(c) of c waves; a square wave's fundamental has 2/π of the height.
    const waves = (perUnit * UNITS) / period;
    const left = 2 / Math.PI / (Math.PI * waves) + 0.04;
    const scene = sceneOf((x, y) => printed(x * perUnit, y * perUnit));
    const row = rowOf(await rasterise(scene, stripes(period), SIZE), 33);
    const mean = row.reduce((sum, light) => sum + light, 0) / SIZE;
    t.ok(Math.abs(mean - 0.5) < 0.02, `${perUnit} mm a unit: ${mean}`);
    const [least, most] = [Math.min(...row), Math.max(...row)];
    t.ok(least > 0.5 - left && most < 0.5 + left, `${perUnit} mm a unit: ${least} to ${most}`);
  }
});

t.test("applies shading, highlight and mask", async (t) => {
  const rasterise = await createRasteriser(t);
  const white = stripes(1e9);
  const cases: [Partial<Fragment>, number][] = [
    [{ ...printed(9e8, 1), shading: 0.5 }, 0.5],
    [{ ...printed(9e8, 1), shading: 0.5, highlight: 0.25 }, 0.75],
    [{ ...printed(1e8, 1), shading: 0.5, highlight: 0.25 }, 0.25],
    [{ ...printed(9e8, 1), mask: 0.5, red: 0.2 }, 0.6],
    [{ mask: 0, red: 0.2, highlight: 1, shading: 1 }, 0.2],
  ];
  for (const [fragment, expected] of cases) {
    const pixels = await rasterise(
      sceneOf(() => fragment),
      white,
      SIZE,
    );
    const light = rowOf(pixels, 80)[80];
    t.ok(Math.abs(light - expected) < 0.01, `${JSON.stringify(fragment)}: ${light}`);
  }
});

t.test("a transparent print shows the product", async (t) => {
  const rasterise = await createRasteriser(t);
  const colour = Float32Array.of(0xffffff);
  for (const [alpha, expected] of [
    [0, 0.3],
    [255, 0.5],
    [51, 0.34],
  ]) {
    const samples = { colour, alpha: Float32Array.of(alpha) };
    const print = printOf(samples, 1, { width: 1, height: 1, repeats: true });
    const scene = sceneOf(() => ({ ...printed(0, 0), red: 0.3, shading: 0.4, highlight: 0.1 }));
    const light = rowOf(await rasterise(scene, print, SIZE), 80)[80];
    t.ok(Math.abs(light - expected) < 0.01, `alpha ${alpha}: ${light}`);
  }
});

t.test("blends a half-transparent print with a product brighter than white", async (t) => {
  const rasterise = await createRasteriser(t);
  const samples = { colour: Float32Array.of(0), alpha: Float32Array.of(153) };
  const print = printOf(samples, 1, { width: 1, height: 1, repeats: true });
  const scene = sceneOf(() => ({ ...printed(0, 0), red: 1.5 }));
  const light = rowOf(await rasterise(scene, print, SIZE), 80)[80];
  t.ok(Math.abs(light - 0.6) < 0.01, `${light}`);
});

t.test("calls the checkpoint every few rows", async (t) => {
  const rows = new Set<number>();
  let most = 0;
  const scene = sceneOf((_, y) => {
    rows.add(Math.floor(y / UNITS));
    return {};
  });
  await makeMap(scene, SIZE, async () => {
    most = Math.max(most, rows.size);
    rows.clear();
  });
  t.ok(most > 0 && most <= 40, `${most} rows between two checkpoints`);
  const refusal = async () => {
    throw new Error("nobody waits");
  };
  await t.rejects(makeMap(scene, SIZE, refusal), { message: "nobody waits" });
  const rasterise = await createRasteriser(t);
  const printedOn = sceneOf((x, y) => printed(x, y));
  const left = rasterise(printedOn, stripes(10), SIZE, refusal);
  await t.rejects(left, { message: "nobody waits" });
});
