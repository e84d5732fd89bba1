/** Preflight reports. */
import t from "tap";
import { Value } from "typebox/value";
import {
  APERIODIC_KINDS,
  type Design,
  GROUP_NAMES,
  Preflight,
  plainDesign,
  preflight,
} from "../../../engine/index.ts";
import { type PrintParts, printOf } from "../../helpers/print.ts";
import { sequence } from "../../helpers/sequence.ts";

const large = { width: 4000, height: 4000, hasAlpha: false };

const told = (print: PrintParts["print"], design: Design = plainDesign("p1"), source = large) =>
  preflight(design, source, printOf(print));

const codes = (...about: Parameters<typeof told>) =>
  told(...about).warnings.map(({ code }) => code);

/** A print without warnings. */
const good = { bleed_mm: 3, cell_mm: 254 } as const;

t.test("pixels include the bleed, rounded to the nearest integer", async (t) => {
  const random = sequence(7);
  for (let k = 0; k < 200; k++) {
    const [width_mm, height_mm] = [10 + 490 * random(), 10 + 490 * random()];
    const dpi = 36 + 300 * random();
    const bleed_mm = k % 2 === 0 ? 0 : 10 * random();
    const { pixels, raster } = told({ format: "tiff", width_mm, height_mm, dpi, bleed_mm });
    t.equal(raster, "sheet");
    t.equal(pixels.width, Math.round(((width_mm + 2 * bleed_mm) / 25.4) * dpi));
    t.equal(pixels.height, Math.round(((height_mm + 2 * bleed_mm) / 25.4) * dpi));
  }
});

t.test("matches its schema for all groups, kinds and formats", async (t) => {
  for (const format of ["png", "tiff", "jpeg", "pdf"] as const) {
    for (const group of GROUP_NAMES) {
      const report = told({ format, cell_mm: 20, rotation: 90 }, plainDesign(group));
      t.ok(Value.Check(Preflight, report), `${format} ${group}`);
      t.equal(report.strain < 0.001, true);
    }
    for (const kind of APERIODIC_KINDS) {
      const report = told({ format, mode: "aperiodic", aperiodic: { kind } });
      t.ok(Value.Check(Preflight, report), `${format} ${kind}`);
      t.strictSame([report.repeats, report.raster], [false, "sheet"]);
    }
  }
});

t.test("warns of effects that are finer than the pixels", (t) => {
  const sheet = { ...good, format: "png", width_mm: 100, height_mm: 100 } as const;
  const withGrain = (size: number, dpi: number) =>
    codes({ ...sheet, dpi, surface_effects: [{ id: "grain", params: { size } }] });
  t.strictSame(withGrain(0.13, 300), []);
  t.strictSame(withGrain(0.13, 160), ["fine_effect"]);
  t.strictSame(withGrain(0.06, 300), ["fine_effect"]);
  const [warning] = told({ ...sheet, dpi: 160, surface_effects: [{ id: "grain" }] }).warnings;
  t.match(warning?.message, "grain has details finer than the pixels of 0.159 mm");
  t.end();
});

t.test("states the size of one repeat", async (t) => {
  const repeatOf = (group: Design["group"], lattice: Partial<Design["lattice"]> = {}) => {
    const plain = plainDesign(group);
    return told({ cell_mm: 20 }, { ...plain, lattice: { ...plain.lattice, ...lattice } }).repeat_mm;
  };
  t.same(repeatOf("p6m"), { width: 20, height: 34.641 });
  t.same(repeatOf("cmm", { ratio: 0.75 }), { width: 20, height: 15 });
  t.same(repeatOf("p1", { repeat: "half_drop" }), { width: 40, height: 20 });
  t.equal(told({ mode: "aperiodic" }).repeat_mm, null);
  const frieze = { group: "p2mg", repeats: 7 } as const;
  const strip = { mode: "frieze", frieze, width_mm: 252, height_mm: 90, bleed_mm: 2 } as const;
  t.match(told(strip), { repeat_mm: { width: 36, height: 90 }, repeats: false, strain: 0 });
});

t.test("a PDF has a period of at least the requested density", async (t) => {
  for (const group of GROUP_NAMES) {
    const sheet = { width_mm: 1400, height_mm: 3000, cell_mm: 63.7, dpi: 210 };
    const { raster, pixels, repeats, strain } = told(sheet, plainDesign(group));
    t.strictSame({ raster, repeats, strain }, { raster: "period", repeats: true, strain: 0 });
    t.ok(pixels.width >= (63.7 / 25.4) * 210 && pixels.width < 600, group);
    t.ok(pixels.height >= pixels.width, group);
  }
  t.equal(told({ cell_mm: 61 }).raster, "sheet", "a period larger than the sheet is not repeated");
  t.equal(told({ cell_mm: 20, surface_effects: [{ id: "grain" }] }).raster, "sheet");
});

t.test("the page grows by bleed and marks", async (t) => {
  const { page_mm, trim_mm } = told({ bleed_mm: 3, crop_marks: true });
  t.strictSame(trim_mm, { width: 60, height: 40 });
  t.strictSame(page_mm, { width: 82, height: 62 });
});

t.test("the source's density follows the cell, the motif and the group", async (t) => {
  // p1's domain is its cell: 4000 pixels on 10 inches.
  t.equal(told(good).source_ppi, 400);
  t.equal(told({ ...good, cell_mm: 127 }).source_ppi, 800);
  const { motif, ...rest } = plainDesign("p1");
  t.equal(told(good, { ...rest, motif: { ...motif, scale: 4 } }).source_ppi, 100);
  t.equal(told(good, { ...rest, motif: { ...motif, rotation: 30 } }).source_ppi, 400);
  t.equal(told(good, plainDesign("pmm")).source_ppi, 800, "a quarter of a cell shows all of it");
  t.ok(told({ ...good, mode: "aperiodic" }).source_ppi > 0);
  // Of an inch high and three long: the source is as wide as a repeat.
  const strip = { mode: "frieze", width_mm: 76.2, height_mm: 25.4 } as const;
  const ppi = (group: "p1" | "p11m" | "p1m1", repeats: number) =>
    told({ ...strip, frieze: { group, repeats } }).source_ppi;
  t.equal(ppi("p1", 1), 1333.333);
  t.equal(ppi("p1", 3), 4000);
  t.equal(ppi("p1", 6), 4000, "as high as the strip");
  t.equal(ppi("p11m", 6), 8000, "half of it shows all of the source");
  t.equal(ppi("p1m1", 2), 4000);
});

t.test("warns of a source that is too small, with the cell that would suit it", async (t) => {
  t.strictSame(codes(good), []);
  t.strictSame(codes({ ...good, cell_mm: 400 }), ["source_small_for_fine_print"]);
  const [warning] = told({ ...good, cell_mm: 1000 }).warnings;
  t.match(warning, { code: "source_too_small", message: /has 102 pixels per inch; 150 is/ });
  const most = Number(/cell_mm of at most ([\d.]+)/.exec(warning.message)?.[1]);
  t.notOk(codes({ ...good, cell_mm: most }).includes("source_too_small"));
  t.ok(codes({ ...good, cell_mm: most * 1.01 }).includes("source_too_small"));
});

t.test("a cell defaults to 100 mm, at most the sheet's width", async (t) => {
  t.equal(told({ width_mm: 500, height_mm: 300 }).cell_mm, 100);
  t.equal(told({ width_mm: 500, height_mm: 60 }).cell_mm, 60);
  const tile = { mode: "aperiodic", aperiodic: { kind: "ammann_beenker" } } as const;
  t.equal(told({ ...tile, width_mm: 500, height_mm: 300 }).cell_mm, 25, "a square of 25 mm");
});

t.test("warns of differences between paper and screen", async (t) => {
  t.strictSame(codes({ ...good, bleed_mm: 0 }), ["no_bleed"]);
  t.strictSame(codes({ ...good, dpi: 100 }), ["low_dpi"]);
  const veiled = { ...large, hasAlpha: true };
  for (const format of ["pdf", "jpeg"] as const) {
    t.strictSame(codes({ ...good, format }, plainDesign("p1"), veiled), ["transparency_on_white"]);
  }
  const white = { ...plainDesign("p1"), background: "#ffffff" };
  t.strictSame(codes({ ...good, format: "pdf" }, white, veiled), []);
  t.strictSame(codes({ ...good, format: "png" }, plainDesign("p1"), veiled), []);
  const thin = { mode: "aperiodic", aperiodic: { outline_width: 0.02 } } as const;
  t.strictSame(codes({ ...thin, bleed_mm: 3, cell_mm: 4 }), ["thin_outline"]);
  t.strictSame(codes({ ...thin, bleed_mm: 3, cell_mm: 5 }), []);
});

t.test("warns of a raster's rounded cell; a PDF's is exact", async (t) => {
  const sheet = { width_mm: 300, height_mm: 300, bleed_mm: 3, cell_mm: 100.02 } as const;
  const report = told({ ...sheet, format: "png" });
  t.match(report.warnings, [{ code: "cell_rounded", message: /off by up to 0.0\d+ mm/ }]);
  t.ok(report.repeats && report.strain > 0 && report.strain < 0.001);
  t.strictSame(codes({ ...sheet, format: "pdf" }), []);
  t.strictSame(codes({ ...sheet, format: "png", rotation: 1 }), []);
});
