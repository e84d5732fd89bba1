import t from "tap";
import { Value } from "typebox/value";
import { Seam } from "../../engine/index.ts";
import { patternEffectNamed, styles, surfaceEffectNamed } from "../../shaders/catalog.ts";
import { paletteNamed } from "../../shaders/palettes.ts";
import { pixelsOf, testEngine } from "../helpers/engine.ts";

t.test("no two styles share an id or a title", async (t) => {
  for (const key of ["id", "title"] as const) {
    t.equal(new Set(styles.map((style) => style[key])).size, styles.length);
  }
});

for (const style of styles) {
  t.test(`${style.id} uses existing effects and palettes`, async (t) => {
    const steps = [
      ...style.effects.map((step) => ({ ...step, effect: patternEffectNamed(step.id) })),
      ...style.surfaceEffects.map((step) => ({ ...step, effect: surfaceEffectNamed(step.id) })),
    ];
    for (const { id, params, effect } of steps) {
      if (effect === undefined) {
        t.fail(`there is no effect ${id}`);
        continue;
      }
      const filled = Value.Default(effect.params, { ...params });
      t.strictSame([...Value.Errors(effect.params, filled)], [], id);
    }
    if (style.palette !== null) t.ok(paletteNamed(style.palette), style.palette);
    t.strictSame([...Value.Errors(Seam, { ...Value.Create(Seam), ...style.seam })], []);
  });
}

t.test("each style changes the sheet, and all differ", async (t) => {
  const engine = await testEngine(t);
  const sheetIn = (style: string | null, seam = {}) =>
    pixelsOf(engine, {
      group: "pmg",
      style,
      seam,
      render: { mode: "surface", size: 96, surface_width: 144, surface_height: 96 },
    });
  const sheets = new Map([["no style", await sheetIn(null)]]);
  for (const { id, seam } of styles) {
    const sheet = await sheetIn(id, seam);
    for (const [other, { pixels }] of sheets) {
      const sum = pixels.reduce(
        (total, value, at) => total + Math.abs(value - sheet.pixels[at]),
        0,
      );
      t.ok(sum / pixels.length > 4, `${id} and ${other} differ by ${sum / pixels.length}`);
    }
    sheets.set(id, sheet);
  }
});
