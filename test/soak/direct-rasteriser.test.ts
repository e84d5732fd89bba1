/** Every product by its map, compared with the same product rasterised directly. */
import t from "tap";
import { products } from "../../engine/index.ts";
import { densityOf } from "../../engine/mockups/density.ts";
import { type Print, printOf } from "../../engine/mockups/print.ts";
import { scenes } from "../../scenes/index.ts";
import type { Scene } from "../../scenes/scene.ts";
import { rasteriseDirectly } from "../helpers/direct-rasteriser.ts";
import { createRasteriser } from "../helpers/mockups.ts";
import { some } from "../helpers/random-subset.ts";

/** Pixels of a side. */
const SIZE = 300;

/** Allowed difference of two 8-bit values. */
const MOST = 2;

/** Checks of two extreme colours in texels that are not square; some transparent. */
function checks(density: number, cell: number, see: boolean): Print {
  const across = 4 * Math.ceil((density * cell) / 4);
  const down = across + 4;
  const isDark = (i: number) =>
    (((i % across) * 6) / across + (Math.floor(i / across) * 4) / down) % 2 < 1;
  const count = across * down;
  const colour = Float32Array.from({ length: count }, (_, i) => (isDark(i) ? 0x100400 : 0xf8ffe0));
  const alpha = see
    ? Float32Array.from({ length: count }, (_, i) => (isDark(i) ? 40 + (i % 150) : 255))
    : null;
  return printOf({ colour, alpha }, across, { width: cell, height: cell, repeats: !see });
}

for (const [n, { id, cell, print }] of products.entries()) {
  t.test(`${id} matches the direct rasteriser`, async (t) => {
    const rasterise = await createRasteriser(t);
    const scene: Scene = scenes[id]();
    const density = densityOf(scene, SIZE);
    const prints = {
      "checks of its own size": checks(density, cell, false),
      "small checks": checks(density, cell / 6, false),
      "a sheet that is seen through": checks(density, Math.max(print.width, print.height), true),
    };
    for (const [name, print] of some(Object.entries(prints), 1, n)) {
      const expected = rasteriseDirectly(scene, print, SIZE);
      const found = await rasterise(scene, print, SIZE);
      const apart = found.map((value, i) => Math.abs(value - expected[i]));
      const worst = apart.reduce((most, value) => Math.max(most, value));
      t.ok(worst <= MOST, `${name}: ${worst} apart`);
      t.ok(
        expected.some((value, i) => Math.abs(value - expected[0]) > 60 && i > 0),
        "of a picture that shows something",
      );
    }
  });
}
