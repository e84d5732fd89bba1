/** A preview shows the same as the whole picture. */
import t from "tap";
import { Value } from "typebox/value";
import { RenderFields, scaledRender, sheetSize } from "../../engine/index.ts";
import { pixelsOf, testEngine } from "../helpers/engine.ts";
import { meanDifference, reduced } from "../helpers/pictures.ts";

const defaults = Value.Parse(RenderFields, Value.Default(RenderFields, {}));

t.test("scales a sheet, a tiling and a tile", async (t) => {
  const engine = await testEngine(t);
  const sheet = { surface_width: 512, surface_height: 256 };
  const turned = { ...sheet, rotation: 20, offset: { x: 37, y: 90 } };
  const cases: Partial<RenderFields>[] = [
    { size: 512 },
    { mode: "surface", ...sheet, size: 200 },
    { mode: "surface", ...turned, cell: 120 },
    { mode: "surface", ...sheet, size: 200, surface_effects: [{ id: "halftone_print" }] },
    { mode: "aperiodic", ...turned, cell: 90 },
    { mode: "aperiodic", ...turned, size: 600 },
  ];
  for (const fields of cases) {
    const what = JSON.stringify(fields);
    const whole = { ...defaults, ...fields };
    const scaled = scaledRender(whole, 0.25);
    t.match(scaled, { scale: 0.25, isComplete: true });
    const expected = reduced(await pixelsOf(engine, { render: whole }), 4);
    const actual = await pixelsOf(engine, { render: scaled.fields });
    const difference = meanDifference(expected, actual);
    t.ok(difference < 6, `${what} differs by ${difference.toFixed(2)} levels`);
    const other = await pixelsOf(engine, {
      render: { ...scaled.fields, ...(fields.mode ? { offset: { x: 31, y: 3 } } : {}), size: 128 },
      ...(!fields.mode && { motif: { x: 0.4 } }),
    });
    t.ok(meanDifference(expected, other) > 12, "another picture differs by more");
  }
});

t.test("scaled renders are valid", async (t) => {
  const sheet = { mode: "surface", surface_width: 20000, surface_height: 20 } as const;
  const cases: Partial<RenderFields>[] = [{}, sheet, { ...sheet, cell: 30 }, { size: 16 }];
  for (const fields of cases) {
    for (const factor of [1, 0.5, 0.0784, 0.001]) {
      const scaled = scaledRender({ ...defaults, ...fields }, factor).fields;
      t.ok(Value.Check(RenderFields, scaled), `${JSON.stringify(fields)} × ${factor}`);
    }
  }
});

t.test("shows a part of a sheet whose cell cannot shrink enough, and reports it", async (t) => {
  const sheet = { mode: "surface", surface_width: 16000, surface_height: 8000, cell: 16 } as const;
  const { fields, scale, isComplete } = scaledRender(
    { ...defaults, ...sheet, offset: { x: 100, y: 0 } },
    0.1,
  );
  t.same(sheetSize(fields), { width: 1600, height: 800 });
  t.match({ fields, scale, isComplete }, { fields: { cell: 8, offset: { x: 50 } }, scale: 0.5 });
  t.equal(isComplete, false);
});

t.test("a factor of 1 changes nothing", async (t) => {
  const whole = { ...defaults, mode: "surface", surface_width: 300, surface_height: 20 } as const;
  t.same(scaledRender(whole, 1), { fields: whole, scale: 1, isComplete: true });
});
