/** Invalid prints and their messages. */
import t from "tap";
import { Value } from "typebox/value";
import {
  checkDesign,
  checkPrint,
  InvalidRecipe,
  PrintFields,
  plainDesign,
} from "../../../engine/index.ts";
import { type PrintParts, printOf } from "../../helpers/print.ts";

const plain = checkDesign(plainDesign("p4"));

function validationIssuesOf(print: PrintParts["print"], design = plain) {
  try {
    checkPrint(design, printOf(print));
    return [];
  } catch (error) {
    if (error instanceof InvalidRecipe) return error.issues;
    throw error;
  }
}

const raster = { format: "png" } as const;

t.test("the schema rejects impossible sizes and densities", async (t) => {
  const takes = (fields: object) => Value.Check(PrintFields, { ...printOf({}), ...fields });
  t.ok(takes({}));
  t.ok(takes({ width_mm: 5080, height_mm: 10, dpi: 36.5, bleed_mm: 50 }));
  for (const wrong of [
    { width_mm: 5081 },
    { height_mm: 9 },
    { dpi: 35 },
    { dpi: 2401 },
    { bleed_mm: 51 },
    { bleed_mm: -1 },
    { format: "webp" },
    { mode: "tile" },
    { offset_mm: { x: 1 } },
    { width: 100 },
  ]) {
    t.notOk(takes(wrong), JSON.stringify(wrong));
  }
});

t.test("a sheet has at most 20000 pixels a side and 400 megapixels, with its bleed", async (t) => {
  const side = (20_000 / 300) * 25.4;
  const square = { width_mm: side, height_mm: side };
  t.strictSame(validationIssuesOf({ ...raster, ...square }), []);
  const [issue, ...others] = validationIssuesOf({ ...raster, ...square, bleed_mm: 3 });
  t.strictSame(others, []);
  t.match(issue, {
    path: "/dpi",
    message: /sheet with its bleed would have 20071 × 20071 = 402845041 pixels; a PDF repeats/,
    expected: /at most 20000 pixels a side and 400000000 in all: about 298 dpi/,
    received: "300 dpi",
  });
  t.strictSame(validationIssuesOf({ ...raster, ...square, bleed_mm: 3, dpi: 298 }), []);
});

t.test("a PDF with a repeating pattern is limited only by its page and period", async (t) => {
  const fabric = { width_mm: 1400, height_mm: 5000, dpi: 300 };
  t.strictSame(validationIssuesOf(fabric), []);
  const period = validationIssuesOf({ ...fabric, dpi: 600, cell_mm: 846.6 });
  t.match(period, [{ path: "/dpi", message: /^one period of the pattern would have/ }]);
  t.match(validationIssuesOf({ ...fabric, mode: "aperiodic" }), [{ path: "/dpi" }]);
  const effects = { ...fabric, surface_effects: [{ id: "vignette" }] };
  t.match(validationIssuesOf(effects), [
    { message: /without surface effects \(.*"surface_effects": \[\]\) a PDF repeats/ },
  ]);
  const styled = checkDesign({ ...plain, style: "vintage_wallpaper" });
  t.match(
    validationIssuesOf(fabric, styled),
    [{ path: "/dpi" }],
    "a style's surface effects count",
  );
});

t.test("a PDF's page has room for bleed and marks", async (t) => {
  t.strictSame(validationIssuesOf({ width_mm: 5000, height_mm: 5000, bleed_mm: 40 }), []);
  t.match(validationIssuesOf({ width_mm: 5060, height_mm: 100, bleed_mm: 3, crop_marks: true }), [
    { path: "/width_mm", message: /width of 5082 mm/, expected: "at most 5058 mm" },
  ]);
  t.strictSame(
    validationIssuesOf({ width_mm: 5058, height_mm: 100, bleed_mm: 3, crop_marks: true }),
    [],
  );
});

t.test("only a PDF has crop marks", async (t) => {
  for (const format of ["png", "tiff", "jpeg"] as const) {
    const issues = validationIssuesOf({ format, crop_marks: true });
    t.match(issues, [{ path: "/crop_marks", expected: 'false, or format "pdf"' }]);
  }
});

t.test("rejects a cell of too few pixels", async (t) => {
  t.match(validationIssuesOf({ ...raster, cell_mm: 1, dpi: 200 }), [
    { path: "/cell_mm", message: /1 mm are 7.87 pixels at 200 dpi/, expected: /^1.02 to 2540 mm/ },
  ]);
  t.strictSame(validationIssuesOf({ ...raster, cell_mm: 1.02, dpi: 200 }), []);
  t.match(validationIssuesOf({ ...raster, cell_mm: 300, dpi: 2400 }), [{ path: "/cell_mm" }]);
});

t.test("reports all issues at once, including those of effects", async (t) => {
  const issues = validationIssuesOf({
    ...raster,
    crop_marks: true,
    cell_mm: 1,
    dpi: 100,
    surface_effects: [{ id: "rain" }, { id: "vignette", params: { strength: 7 } }],
  });
  t.strictSame(issues.map(({ path }) => path).sort(), [
    "/cell_mm",
    "/crop_marks",
    "/surface_effects/0/id",
    "/surface_effects/1/params/strength",
  ]);
});
