/** PDF internals: objects, boxes, and the image. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import t from "tap";
import { SRGB_PROFILE } from "../../../engine/encoders/icc.ts";
import { temporaryFolder } from "../../helpers/database.ts";
import { testEngine } from "../../helpers/engine.ts";
import { runValidator, skipWithout } from "../../helpers/external-validators.ts";
import {
  drawn,
  imageIn,
  numbersOf,
  objectsOf,
  objectWith,
  RASTERISING,
  rasterisers,
  streamOf,
} from "../../helpers/pdf.ts";
import { rasterOf, rasterWithin } from "../../helpers/pictures.ts";
import { type PrintParts, printed } from "../../helpers/print.ts";
import { sequence } from "../../helpers/sequence.ts";

const points = (millimetres: number) => (millimetres / 25.4) * 72;

const whole: PrintParts["print"] = { mode: "aperiodic", dpi: 100, bleed_mm: 2 };

const engine = await testEngine(t);

t.test("the cross-reference table and all lengths are correct", async (t) => {
  for (const print of [{ cell_mm: 15 }, { cell_mm: 15, crop_marks: true }, whole]) {
    const file = await printed(engine, { print });
    t.ok(file.subarray(0, 9).equals(Buffer.from("%PDF-1.7\n")));
    const objects = objectsOf(file);
    t.ok(objects.size >= 8);
    for (const object of objects.values()) {
      const [, length, indirect] = /\/Length (\d+)( 0 R)?/.exec(object) ?? [];
      if (length === undefined) continue;
      const told = indirect === undefined ? length : objects.get(Number(length))?.split("\n")[1];
      t.equal(Number(told), streamOf(object).length);
    }
    const profile = streamOf(objectWith(file, "/N 3"));
    t.ok(inflateSync(profile).equals(SRGB_PROFILE.bytes));
  }
});

t.test("a sheet's image equals that of a PNG", async (t) => {
  const shown = imageIn(await printed(engine, { print: whole }));
  const expected = rasterOf(await printed(engine, { print: { ...whole, format: "png" } }));
  rasterWithin(t, shown, expected, 0, "pixels");
});

t.test("a period's image is the period with a repeating margin", async (t) => {
  for (const group of ["p1", "p4g", "cmm", "p6"] as const) {
    const file = await printed(engine, { group, print: { cell_mm: 21.3, dpi: 150 } });
    const { width, pixels } = imageIn(file);
    const pattern = objectWith(file, "/PatternType 1");
    const [stepX] = numbersOf(pattern, "XStep");
    const [left, , right] = numbersOf(pattern, "BBox");
    const across = Math.round((width * stepX) / (right - left));
    t.ok(across % 4 === 0 && across < width, `${group}: ${across} of ${width}`);
    const same = pixels.every(
      (value, at) =>
        Math.floor(at / 3) % width >= width - across || value === pixels[at + 3 * across],
    );
    t.ok(same, `${group} repeats after ${across} pixels`);
  }
});

t.test("steps are exact, with the requested rotation and origin", async (t) => {
  const random = sequence(11);
  for (let k = 0; k < 8; k++) {
    const [cell_mm, rotation] = [10 + 20 * random(), -180 + 360 * random()];
    const offset_mm = { x: 30 * random(), y: -30 * random() };
    const print = { cell_mm, rotation, offset_mm, bleed_mm: 3, crop_marks: true, dpi: 72 };
    const file = await printed(engine, { group: "p3", print });
    const pattern = objectWith(file, "/PatternType 1");
    const near = (actual: number, expected: number, what: string) =>
      t.ok(Math.abs(actual - expected) < 2e-6, `${what}: ${actual}, expected ${expected}`);
    near(numbersOf(pattern, "XStep")[0], points(cell_mm), "across");
    near(numbersOf(pattern, "YStep")[0], points(cell_mm * Math.sqrt(3)), "down");
    const [a, b, c, d, e, f] = numbersOf(pattern, "Matrix");
    const angle = (rotation * Math.PI) / 180;
    // On paper, whose y points up, clockwise is towards −y.
    near(a, Math.cos(angle), "a");
    near(b, -Math.sin(angle), "b");
    near(c, Math.sin(angle), "c");
    near(d, Math.cos(angle), "d");
    near(e, points(11 + offset_mm.x), "origin from the left");
    near(f, points(40 + 22 - 11 - offset_mm.y), "origin from below");
  }
});

t.test("the file size does not grow with the length of the cloth", async (t) => {
  const print = { cell_mm: 20, dpi: 150 };
  const small = await printed(engine, { print: { ...print, width_mm: 40, height_mm: 40 } });
  const cloth = await printed(engine, { print: { ...print, width_mm: 1400, height_mm: 5000 } });
  t.ok(Math.abs(cloth.length - small.length) < 100, `${small.length}, ${cloth.length} bytes`);
});

t.test(
  "poppler reads boxes, picture and title",
  { skip: skipWithout("pdfinfo", "pdfimages") },
  async (t) => {
    const path = join(await temporaryFolder(t), "sheet.pdf");
    const print = { ...whole, width_mm: 120, height_mm: 90, crop_marks: true };
    await writeFile(path, await printed(engine, { print }));
    const told = await runValidator("pdfinfo", "-box", path);
    const boxOf = (name: string) =>
      (new RegExp(`${name}Box:\\s+(.*)`).exec(told)?.[1] ?? "").split(/\s+/).map(Number);
    const near = (name: string, millimetres: number[]) => {
      const off = boxOf(name).map((value, at) => Math.abs(value - points(millimetres[at])));
      t.ok(Math.max(...off) < 0.006, `${name}: ${boxOf(name)}`);
    };
    near("Media", [0, 0, 140, 110]);
    near("Crop", [0, 0, 140, 110]);
    near("Bleed", [8, 8, 132, 102]);
    near("Trim", [10, 10, 130, 100]);
    t.match(told, /Title:\s+120 × 90 mm/);
    t.match(told, /PDF version:\s+1\.7/);
    t.notMatch(told, /error|warning|CreationDate/i);
    const images = await runValidator("pdfimages", "-list", path);
    t.match(images, /image\s+488\s+370\s+icc\s+3\s+8\s+image\s+no\s+\d+\s+0\s+100\s+100/);
  },
);

t.test(
  "marks align with the trim, outside the bleed",
  { skip: skipWithout(...RASTERISING) },
  async (t) => {
    const folder = await temporaryFolder(t);
    const print = { width_mm: 60, height_mm: 40, bleed_mm: 3, crop_marks: true, cell_mm: 10 };
    const file = await printed(engine, { print: { ...print, dpi: 72 } });
    for (const by of rasterisers) {
      // 10 pixels a millimetre.
      const { width, height, pixels } = await drawn(by, file, folder, 254);
      t.ok(Math.abs(width - 820) <= 1 && Math.abs(height - 620) <= 1, by);
      const darkest = (x: number, y: number) =>
        Math.min(
          ...[-1, 0, 1].flatMap((dy) =>
            [-1, 0, 1].map((dx) => pixels[3 * ((y + dy) * width + x + dx)]),
          ),
        );
      for (const x of [110, 710])
        for (const y of [35, 585]) t.ok(darkest(x, y) < 160, `${by} ${x} ${y}`);
      for (const y of [110, 510])
        for (const x of [35, 785]) t.ok(darkest(x, y) < 160, `${by} ${x} ${y}`);
      for (const [x, y] of [
        [110, 70],
        [70, 110],
        [35, 35],
        [60, 585],
        [400, 35],
      ]) {
        t.equal(darkest(x, y), 255, `${by}: nothing is at ${x} ${y}`);
      }
      t.ok(
        darkest(83, 83) < 255 && darkest(736, 536) < 255,
        `${by} prints to the edge of the bleed`,
      );
    }
  },
);
