/** Patterns as curves, drawn by other programs. */
import sharp, { type Sharp } from "sharp";
import t from "tap";
import {
  checkDesign,
  type Design,
  GROUP_NAMES,
  type GroupName,
  plainDesign,
} from "../../../engine/index.ts";
import { temporaryFolder } from "../../helpers/database.ts";
import { bytesOf, request, testEngine } from "../../helpers/engine.ts";
import { skipWithout } from "../../helpers/external-validators.ts";
import { drawn, RASTERISING, rasterisers } from "../../helpers/pdf.ts";
import { photograph, pngOf, type Raster } from "../../helpers/pictures.ts";
import { all, some } from "../../helpers/random-subset.ts";
import { allPositions, positionFunction, tableRow } from "../../helpers/symmetry.ts";

const engine = await testEngine(t);
const SIZE = 320;
const source = pngOf(photograph(300, 240));
const effects: Design["effects"] = [{ id: "flat_inks", params: { count: 4, strength: 1 } }];

type Format = "svg" | "pdf";

async function vectorOf(group: GroupName, format: Format, fields: Partial<Design> = {}) {
  const design = checkDesign({ ...plainDesign(group), effects, ...fields });
  const { source: bytes } = request({ source });
  const file = await engine.drawVector({ design, source: bytes, format, size: SIZE, cell_mm: 80 });
  if (file === null) throw new Error("too many inks");
  return Buffer.from(file);
}

async function rgbOf(png: Uint8Array | Sharp): Promise<Raster> {
  const { data, info } = await (png instanceof Uint8Array ? sharp(png) : png)
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 3, pixels: Uint8Array.from(data) };
}

/** A file as librsvg draws it in that many pixels. */
async function rasterised(svg: Uint8Array, { width, height }: Pick<Raster, "width" | "height">) {
  const { width: natural = 1 } = await sharp(svg).metadata();
  const density = Math.min(2400, (72 * 1.0001 * width) / natural);
  return rgbOf(sharp(svg, { density }).resize(width, height, { fit: "fill" }));
}

const tileOf = async (group: GroupName, fields: Partial<Design> = {}) => {
  const render = { mode: "tile", tile: "cell", size: SIZE } as const;
  const tile = request({ ...plainDesign(group), effects, ...fields, source, render });
  return rgbOf(await bytesOf(await engine.render(tile)));
};

/**
 * Shares of a tile's pixels: those that have their own colour for two pixels around, and those of them that another
 * picture shows in another colour.
 */
function compared(tile: Raster, other: Raster) {
  const { width, height, pixels } = tile;
  const at = (x: number, y: number) =>
    3 * (((y + height) % height) * width + ((x + width) % width));
  const differ = (a: Uint8Array, i: number, b: Uint8Array, j: number, most: number) =>
    [0, 1, 2].some((channel) => Math.abs(a[i + channel] - b[j + channel]) > most);
  let flat = 0;
  let wrong = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const here = at(x, y);
      const around = Array.from({ length: 25 }, (_, n) =>
        at(x + (n % 5) - 2, y + Math.floor(n / 5) - 2),
      );
      if (around.some((there) => differ(pixels, here, pixels, there, 0))) continue;
      flat++;
      if (differ(pixels, here, other.pixels, here, 6)) wrong++;
    }
  }
  return { flat: flat / (width * height), wrong: wrong / flat };
}

t.test("shapes are where the tile has them, under every group", async (t) => {
  for (const group of some(GROUP_NAMES, 6)) {
    const tile = await tileOf(group);
    const picture = await rasterised(await vectorOf(group, "svg"), tile);
    t.same([picture.width, picture.height], [tile.width, tile.height]);
    const { flat, wrong } = compared(tile, picture);
    t.ok(flat > 0.1, `${group}: ${flat} of the tile is flat`);
    t.ok(wrong < 0.001, `${group}: ${wrong} of it is wrong`);
  }
});

t.test("shapes of a counterchange have their negatives", async (t) => {
  for (const [group, counterchange] of some(
    [
      ["p4m", "p4g"],
      ["p1", "p1"],
      ["cmm", "pgg"],
      ["p6", "p3"],
    ] as const,
    2,
  )) {
    const tile = await tileOf(group, { counterchange });
    const picture = await rasterised(await vectorOf(group, "svg", { counterchange }), tile);
    const { flat, wrong } = compared(tile, picture);
    t.ok(flat > 0.1, `${group}/${counterchange}: ${flat} of the tile is flat`);
    t.ok(wrong < 0.001, `${group}/${counterchange}: ${wrong} of it is wrong`);
  }
});

t.test("copies of the traced shapes are closed under the group's operations", async (t) => {
  for (const group of all ? GROUP_NAMES : some(GROUP_NAMES, 6, 1)) {
    const svg = String(await vectorOf(group, "svg"));
    const [, viewWidth, viewHeight] = (/viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? []).map(
      Number,
    );
    const layers = [...svg.matchAll(/<g id="ink-\d+"[\s\S]*?<\/g>/g)].map(([layer]) =>
      [...layer.matchAll(/matrix\(([^)]+)\)/g)].map(([, numbers]) => numbers),
    );
    t.ok(layers.length > 1 && layers.length <= 4, `${layers.length} layers`);
    t.ok(
      layers.every((copies) => copies.join() === layers[0].join()),
      "each layer has them all",
    );
    const { lattice } = tableRow(group);
    const hexagonal = lattice === "hexagonal";
    // Edges of the conventional cell in the file's units.
    const a = [viewWidth, 0];
    const b = hexagonal ? [-viewWidth / 2, viewHeight / 2] : [0, viewHeight];
    const toPlane = ([u, v]: readonly [number, number]) => [
      u * a[0] + v * b[0],
      u * a[1] + v * b[1],
    ];
    const toCell = ([x, y]: readonly number[]): [number, number] => {
      const v = y / b[1];
      return [(x - v * b[0]) / a[0], v];
    };
    // A copy is known by where it puts two points, modulo the cell.
    const PROBES = [
      [0.137, 0.291],
      [0.411, 0.073],
    ].map(([u, v]) => toPlane([u, v]));
    const near = (value: number) => Math.abs(value - Math.round(value)) < 1e-4;
    const isSame = (one: readonly [number, number][], other: readonly [number, number][]) => {
      const shift = [0, 1].map((axis) => one[0][axis] - other[0][axis]);
      return (
        shift.every(near) &&
        one.every(([u, v], n) => near(u - other[n][0]) && near(v - other[n][1]))
      );
    };
    const copies = layers[0].map((numbers) => {
      const [ma, mc, mb, md, e, f] = numbers.split(" ").map(Number);
      return PROBES.map(([x, y]) => toCell([ma * x + mb * y + e, mc * x + md * y + f]));
    });
    for (const position of allPositions(tableRow(group))) {
      const move = positionFunction(position);
      const missing = copies.filter((copy) => {
        const moved = copy.map(([u, v]) => move(u, v));
        return !copies.some((other) => isSame(moved, other));
      });
      t.equal(missing.length, 0, `${group}, ${position}: ${missing.length} of ${copies.length}`);
    }
  }
});

t.test(
  "other programs draw a PDF as librsvg draws the SVG",
  {
    skip: skipWithout(...RASTERISING),
  },
  async (t) => {
    const folder = await temporaryFolder(t);
    for (const group of some(GROUP_NAMES, 2, 2)) {
      const pdf = await vectorOf(group, "pdf");
      const svg = await vectorOf(group, "svg");
      for (const by of rasterisers) {
        const picture = await drawn(by, pdf, folder, 100);
        t.ok(
          Math.abs(picture.width - (80 / 25.4) * 100) <= 1,
          `${by}: ${picture.width} pixels wide`,
        );
        const { flat, wrong } = compared(await rasterised(svg, picture), picture);
        t.ok(flat > 0.1, `${group}, ${by}: ${flat} of the page is flat`);
        t.ok(wrong < 0.001, `${group}, ${by}: ${wrong} of it is wrong`);
      }
      t.match(pdf.toString("latin1"), /\/Separation \/Ink#201#20#23[0-9a-f]{6} /);
    }
  },
);

t.test("nothing is drawn where nothing is printed", async (t) => {
  const pixels = Uint8Array.from({ length: 4 * 90 * 90 }, (_, at) => {
    const [x, y] = [((at >> 2) % 90) - 45, Math.floor(at / 360) - 45];
    return [200, 40, 60, Math.hypot(x, y) < 30 ? 255 : 0][at % 4];
  });
  const disc = pngOf({ width: 90, height: 90, channels: 4, pixels });
  const { source: bytes } = request({ source: disc });
  const design = checkDesign({ ...plainDesign("p1"), effects });
  const file = await engine.drawVector({
    design,
    source: bytes,
    format: "svg",
    size: 90,
    cell_mm: 30,
  });
  const { data, info } = await sharp(Buffer.from(file ?? []), { density: 100 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  t.equal(info.channels, 4);
  const printed = data.filter((value, at) => at % 4 === 3 && value > 127).length;
  const share = printed / (info.width * info.height);
  t.ok(Math.abs(share - Math.PI / 9) < 0.03, `${share} is printed`);
});

t.test("returns null for what has too many colours", async (t) => {
  const { source: bytes } = request({ source });
  const vector = { source: bytes, format: "svg", size: 128, cell_mm: 50 } as const;
  t.equal(await engine.drawVector({ design: checkDesign(plainDesign("p4")), ...vector }), null);
});
