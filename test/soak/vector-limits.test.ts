/** A vector file has a limit of curves. */
import t from "tap";
import { checkDesign, plainDesign } from "../../engine/index.ts";
import { request, testEngine } from "../helpers/engine.ts";
import { noisePng } from "../helpers/pictures.ts";

t.test("refuses what has too many curves", async (t) => {
  const engine = await testEngine(t);
  const { source } = request({ source: await noisePng(1500, 1500) });
  const effects = [{ id: "flat_inks", params: { count: 4, strength: 1 } }];
  const design = checkDesign({ ...plainDesign("p1"), effects });
  const drawing = { design, source, format: "svg", size: 2048, cell_mm: 50 } as const;
  await t.rejects(engine.drawVector(drawing), { name: "InvalidRecipe", message: /^\/size: / });
});
