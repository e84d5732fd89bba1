/** Pattern effects, palettes and styles as rendered. */
import t from "tap";
import {
  GROUP_NAMES,
  palettes,
  patternEffects,
  styles,
  surfaceEffects,
} from "../../engine/index.ts";
import { pixelsOf, testEngine } from "../helpers/engine.ts";
import {
  meanDifference,
  photograph,
  pngOf,
  type Raster,
  rasterWithin,
} from "../helpers/pictures.ts";
import { some } from "../helpers/random-subset.ts";
import { allPositions, differenceUnder, tableRow } from "../helpers/symmetry.ts";

const engine = await testEngine(t);
const upright = GROUP_NAMES.filter((name) => tableRow(name).lattice !== "hexagonal");
const sheet = { mode: "surface", surface_width: 150, surface_height: 110, cell: 60 } as const;

for (const [n, { id, neutral }] of patternEffects.entries()) {
  t.test(`${id} keeps the group bit for bit`, async (t) => {
    for (const group of some(upright, 4, n)) {
      const tile = await pixelsOf(engine, { group, effects: [{ id }], render: { size: 64 } });
      for (const position of allPositions(tableRow(group))) {
        t.equal(differenceUnder(position, tile), 0, `${group} under ${position}`);
      }
    }
  });

  t.test(`${id} changes pixels only with parameters that are not neutral`, async (t) => {
    // Lengths are in edges of the cell, so it has to have some pixels.
    const group = "p31m";
    const render = { size: 512, hex_cells: "2x1" } as const;
    const plain = await pixelsOf(engine, { group, render });
    const effects = [{ id, params: neutral }];
    rasterWithin(t, await pixelsOf(engine, { group, effects, render }), plain, 1, "neutral");
    const changed = await pixelsOf(engine, { group, effects: [{ id }], render });
    t.ok(meanDifference(changed, plain) > 0.3, "defaults");
  });
}

t.test("applies effects in order", async (t) => {
  const invert = { id: "invert" };
  const threshold = { id: "threshold", params: { level: 0.3 } };
  const render = { size: 64 };
  const one = await pixelsOf(engine, { effects: [invert, threshold], render });
  const other = await pixelsOf(engine, { effects: [threshold, invert], render });
  t.ok(meanDifference(one, other) > 5);
});

t.test("applies a palette last, given by name or colours", async (t) => {
  const { id, colours } = palettes[3];
  const effects = [{ id: "sepia" }];
  const render = { size: 64 };
  for (const palette of [id, colours]) {
    const mapping = { id: "palette_map", params: { palette } };
    const expected = await pixelsOf(engine, { effects: [...effects, mapping], render });
    const out = await pixelsOf(engine, { effects, palette, render });
    rasterWithin(t, out, expected, 0, `${palette}`);
  }
});

t.test("a palette's colours do not change when the motif moves", async (t) => {
  const palette = { id: "palette_map", params: { palette: "pop", softness: 0, keep_lightness: 0 } };
  const colourAt = new Map<string, string>();
  const bytesAt = ({ pixels }: Raster, n: number) => pixels.slice(3 * n, 3 * n + 3).join();
  for (const x of [0, 0.04, 0.1]) {
    const design = {
      group: "p1",
      motif: { x: 0.4 + x, scale: 0.6 },
      render: { size: 96 },
    } as const;
    const plain = await pixelsOf(engine, design);
    const mapped = await pixelsOf(engine, { ...design, effects: [palette] });
    for (let n = 0; n < 96 * 96; n++) {
      const before = bytesAt(plain, n);
      const known = colourAt.get(before);
      if (known !== undefined && known !== bytesAt(mapped, n)) t.fail(`${before} at ${n}`);
      colourAt.set(before, bytesAt(mapped, n));
    }
  }
  t.ok(colourAt.size > 100);
});

t.test("finding the colours after an effect leaves the source as it is", async (t) => {
  const source = pngOf(photograph(700, 500));
  // From which of the source's levels a tile is sampled depends on its size.
  const tiles = () =>
    Promise.all([24, 32, 40, 48, 64].map((size) => pixelsOf(engine, { source, render: { size } })));
  const before = await tiles();
  for (const { id, kind } of patternEffects) {
    if (kind !== "torus") continue;
    await pixelsOf(engine, { source, effects: [{ id }], palette: "pop", render: { size: 32 } });
    t.same(await tiles(), before, id);
  }
});

t.test("a style equals its separate settings", async (t) => {
  for (const { id, effects, palette, surfaceEffects } of styles) {
    const own = [{ id: "invert" }];
    const styled = await pixelsOf(engine, { style: id, effects: own, render: sheet });
    const spelledOut = await pixelsOf(engine, {
      effects: [...effects, ...own].map((use) => ({ ...use })),
      palette,
      render: { ...sheet, surface_effects: surfaceEffects.map((use) => ({ ...use })) },
    });
    rasterWithin(t, styled, spelledOut, 0, id);
  }
});

t.test("explicit settings override those of a style", async (t) => {
  const { id } = styles.find((row) => row.palette !== null && row.surfaceEffects.length > 0) ?? {};
  if (id === undefined) throw new Error("no style has both");
  const bare = { ...sheet, surface_effects: [] };
  const styled = await pixelsOf(engine, { style: id, render: sheet });
  const without = await pixelsOf(engine, { style: id, render: bare });
  const recoloured = await pixelsOf(engine, { style: id, palette: "neon", render: bare });
  t.ok(meanDifference(styled, without) > 0.2);
  t.ok(meanDifference(recoloured, without) > 2);
});

/** Mean difference of neighbours in a row. */
function steepness({ width, height, channels, pixels }: Raster): number {
  let sum = 0;
  for (let k = channels; k < pixels.length; k++) {
    if (Math.floor(k / channels) % width > 0) sum += Math.abs(pixels[k] - pixels[k - channels]);
  }
  return sum / ((width - 1) * height * channels);
}

t.test("a rotated sheet shows the same effects as an upright one", async (t) => {
  // A quarter turn is exact; a slightly larger angle is interpolated between the pixels of a period.
  for (const { id } of patternEffects.filter(({ kind }) => kind === "torus")) {
    const render = { ...sheet, cell: 600 };
    const upright = await pixelsOf(engine, {
      group: "p2",
      effects: [{ id }],
      render: { ...render, rotation: 90 },
    });
    const askew = await pixelsOf(engine, {
      group: "p2",
      effects: [{ id }],
      render: { ...render, rotation: 90.001 },
    });
    const difference = meanDifference(askew, upright);
    // Interpolation smooths the edges of dots, of which there are many.
    const most = id === "halftone" ? 0.3 * steepness(upright) : 8;
    t.ok(difference > 0 && difference < most, `${id}: ${difference} of ${most} levels`);
  }
});

t.test("effects that read neighbours leave no visible bands", async (t) => {
  // Seven bands of a pattern that repeats every 50 rows; the effects do not depend on the bands.
  const tall = { ...sheet, surface_width: 1000, surface_height: 1800, cell: 50 };
  const reaching = surfaceEffects.filter(({ id }) => id === "emboss");
  t.not(reaching.length, 0);
  for (const { id } of reaching) {
    const surface_effects = [{ id }, { id }];
    const { pixels, width, height } = await pixelsOf(engine, {
      group: "p1",
      render: { ...tall, surface_effects },
    });
    const row = (y: number) => pixels.subarray(y * width * 3, (y + 1) * width * 3);
    const odd = Array.from({ length: height - 200 }, (_, k) => k + 100).filter(
      (y) => Buffer.compare(row(y), row(100 + ((y - 100) % 50))) !== 0,
    );
    t.strictSame(odd, [], id);
  }
});
