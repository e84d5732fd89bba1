import t from "tap";
import { pixelsOf, testEngine } from "../helpers/engine.ts";
import { hash, pngOf, type Raster } from "../helpers/pictures.ts";

const engine = await testEngine(t);

/** Grey of 160 × 160 pixels. */
const grey = (level: (x: number, y: number) => number) => {
  const pixels = new Uint8Array(160 * 160 * 3);
  for (let i = 0; i < 160 * 160; i++) {
    pixels.fill(level(i % 160, Math.floor(i / 160)), i * 3, i * 3 + 3);
  }
  return pngOf({ width: 160, height: 160, channels: 3, pixels });
};

/** Standard deviation of the lightness, here simply of the level. */
function spread({ pixels }: Raster): number {
  const mean = pixels.reduce((sum, v) => sum + v, 0) / pixels.length;
  return Math.sqrt(pixels.reduce((sum, v) => sum + (v - mean) ** 2, 0) / pixels.length);
}

t.test("mixing different copies keeps the contrast", async (t) => {
  // Random blocks of 8 pixels: independent copies.
  const source = grey((x, y) => 60 + 140 * hash(x >> 3, y >> 3));
  for (const group of ["p2", "p4", "p6"] as const) {
    const parts = { group, source, render: { size: 512, hex_cells: "2x1" as const } };
    const seam = { method: "average" as const };
    const sharp = spread(await pixelsOf(engine, { ...parts, seam: { method: "fold" } }));
    const kept = spread(await pixelsOf(engine, { ...parts, seam }));
    const lost = spread(
      await pixelsOf(engine, { ...parts, seam: { ...seam, preserve_contrast: false } }),
    );
    t.ok(lost < 0.8 * sharp, `${group}: mixing alone loses contrast, ${lost} of ${sharp}`);
    t.ok(kept > 0.85 * sharp && kept < 1.2 * sharp, `${group}: kept ${kept} of ${sharp}`);
  }
});

t.test("mixing copies of a plain ground does not change it", async (t) => {
  // With a soft edge, which enlarging does not overshoot.
  const source = grey((x, y) => {
    const inside = Math.min(Math.max((25 - Math.hypot(x - 80, y - 80)) / 10 + 0.5, 0), 1);
    return Math.round(40 + 195 * inside ** 2 * (3 - 2 * inside));
  });
  const tile = await pixelsOf(engine, { group: "p4", source, render: { size: 256 } });
  const darkest = tile.pixels.reduce((least, v) => Math.min(least, v), 255);
  t.ok(darkest >= 38, `the darkest pixel is ${darkest}, the ground 40`);
});

t.test("mixing copies keeps hues", async (t) => {
  // One hue in linear light, in blocks of many brightnesses.
  const encode = (light: number) => Math.round(255 * (1.055 * light ** (1 / 2.4) - 0.055));
  const decode = (level: number) => ((level / 255 + 0.055) / 1.055) ** 2.4;
  const pixels = new Uint8Array(160 * 160 * 3);
  for (let i = 0; i < 160 * 160; i++) {
    const light = 0.1 + 0.7 * hash((i % 160) >> 3, Math.floor(i / 1280));
    pixels.set([encode(light), encode(0.5 * light), encode(0.25 * light)], i * 3);
  }
  const source = pngOf({ width: 160, height: 160, channels: 3, pixels });
  const seam = { method: "average" } as const;
  const tile = await pixelsOf(engine, { group: "p4", seam, source, render: { size: 128 } });
  let worst = 0;
  let compared = 0;
  for (let i = 0; i < tile.pixels.length; i += 3) {
    const [red, green, blue] = [0, 1, 2].map((c) => decode(tile.pixels[i + c]));
    if (red < 0.05) continue;
    compared++;
    worst = Math.max(worst, Math.abs(green / red - 0.5), Math.abs(blue / red - 0.25));
  }
  t.ok(compared > 10_000, `${compared} pixels`);
  t.ok(worst < 0.03, `proportions are off by ${worst}`);
});
