/** How large sheets are divided. */
import t from "tap";
import { Value } from "typebox/value";
import { bandRows } from "../../engine/image/bands.ts";
import { checkRender } from "../../engine/index.ts";
import { plainDesign, RenderFields } from "../../engine/recipe/index.ts";
import { stripsOf } from "../../engine/render/strip-plan.ts";

t.test("bands of pictures from 67 megapixels on are twice as large", async (t) => {
  t.equal(bandRows(8192, 8191, 0), 32);
  t.equal(bandRows(8192, 8192, 0), 64);
  t.equal(bandRows(20_000, 3000, 0), 13);
  t.equal(bandRows(20_000, 20_000, 0), 26);
  t.equal(bandRows(20_000, 20_000, 100), 50, "what an effect reads beyond them needs more");
});

t.test("strips are whole bands of some two million pixels", async (t) => {
  for (const side of [5000, 8191, 8192, 12_345, 20_000]) {
    const render = checkRender({
      ...Value.Create(RenderFields),
      mode: "surface",
      surface_width: side,
      surface_height: side,
      cell: 1024,
      surface_effects: [{ id: "grain" }],
    });
    const strips = stripsOf(plainDesign("p4"), render);
    const band = bandRows(side, side, 0);
    t.ok(strips.every(({ first }) => first % band === 0));
    const pixels = strips[0].count * side;
    t.ok(pixels > 1.9e6 && pixels < 2.2e6, `${side}²: ${pixels}`);
    t.equal(
      strips.reduce((sum, { count }) => sum + count, 0),
      side,
    );
  }
});
