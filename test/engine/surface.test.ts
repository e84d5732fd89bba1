import t from "tap";
import type { GroupName } from "../../engine/recipe/index.ts";
import { picturePlan } from "../../engine/render/picture.ts";
import { bytesOf, pixelsOf, request, testEngine } from "../helpers/engine.ts";
import { inThread } from "../helpers/in-thread.ts";
import { photograph, pngOf, type Raster, rasterOf, rasterWithin } from "../helpers/pictures.ts";
import { sampleCubic } from "../helpers/symmetry.ts";

const engine = await testEngine(t);
const sheet = { mode: "surface", surface_width: 300, surface_height: 210 } as const;

function crop(from: Raster, x: number, y: number, width: number, height: number): Raster {
  const { channels } = from;
  const pixels = new Uint8Array(width * height * channels);
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width * channels; i++) {
      const row = ((((y + j) % from.height) + from.height) % from.height) * from.width;
      const column = (((x + Math.floor(i / channels)) % from.width) + from.width) % from.width;
      pixels[j * width * channels + i] = from.pixels[(row + column) * channels + (i % channels)];
    }
  }
  return { width, height, channels, pixels };
}

t.test("a sheet repeats its tile bit for bit", async (t) => {
  for (const group of ["p1", "pgg", "p4", "p4m"] as const) {
    const tile = await pixelsOf(engine, { group, render: { size: 96 } });
    const actual = await pixelsOf(engine, { group, render: { ...sheet, size: 96 } });
    rasterWithin(t, actual, crop(tile, 0, 0, 300, 210), 0, group);
  }
});

t.test("sheets of one thread at once do not share their rows", async (t) => {
  const { context } = await inThread(t);
  const started = (group: GroupName) =>
    picturePlan(context, request({ group, render: { ...sheet, size: 96 } })).start();
  const alone = async (group: GroupName) => {
    const { rows, end } = await started(group);
    const { colour } = await rows(0, 210);
    const copy = colour.slice();
    end?.();
    return copy;
  };
  const [first, second] = [await alone("p1"), await alone("p4m")];
  const [one, other] = [await started("p1"), await started("p4m")];
  for (let row = 0; row < 210; row += 30) {
    const [ofOne, ofOther] = [await one.rows(row, 30), await other.rows(row, 30)];
    const [from, to] = [row * 300, (row + 30) * 300];
    t.same(ofOne.colour, first.subarray(from, to));
    t.same(ofOther.colour, second.subarray(from, to));
  }
  for (const ended of [one, one, other]) ended.end?.();
  t.not(context.pictureMemory.take(9000).buffer, context.pictureMemory.take(9000).buffer);
});

t.test("an offset in whole pixels shifts the sheet", async (t) => {
  const tile = await pixelsOf(engine, { render: { size: 96 } });
  const render = { ...sheet, size: 96, offset: { x: 13, y: -7 } };
  rasterWithin(t, await pixelsOf(engine, { render }), crop(tile, -13, 7, 300, 210), 1, "shifted");
});

t.test("a tiny rotation equals none", async (t) => {
  for (const group of ["p2", "pmg", "pgg", "p4g"] as const) {
    const whole = await pixelsOf(engine, { group, render: { ...sheet, size: 400, cell: 60 } });
    const render = { ...sheet, size: 400, cell: 60, rotation: 1e-7 };
    rasterWithin(t, await pixelsOf(engine, { group, render }), whole, 3, group);
  }
});

t.test("a quarter turn of the sheet turns its picture", async (t) => {
  const square = { ...sheet, surface_height: 300, size: 100 };
  for (const group of ["p1", "pm", "p3"] as const) {
    const before = await pixelsOf(engine, { group, render: square });
    const render = { ...square, rotation: 90, offset: { x: 300, y: 0 } };
    const after = await pixelsOf(engine, { group, render });
    const turned = new Uint8Array(before.pixels.length);
    for (let j = 0; j < 300; j++) {
      for (let i = 0; i < 300; i++) {
        for (let c = 0; c < 3; c++) {
          turned[(i * 300 + (299 - j)) * 3 + c] = before.pixels[(j * 300 + i) * 3 + c];
        }
      }
    }
    rasterWithin(t, after, { ...before, pixels: turned }, 1, group);
  }
});

t.test("a hexagonal sheet has square pixels: a sixth of a turn maps it to itself", async (t) => {
  const cell = 208;
  const render = {
    ...sheet,
    surface_width: 640,
    surface_height: 640,
    cell,
    offset: { x: 320, y: 320 },
  };
  const picture = await pixelsOf(engine, { group: "p6m", motif: { scale: 6 }, render });
  let worst = 0;
  for (let j = 180; j < 460; j += 7) {
    for (let i = 180; i < 460; i += 7) {
      const x = i + 0.5 - 320;
      const y = j + 0.5 - 320;
      const turnedX = x / 2 - (y * Math.sqrt(3)) / 2 + 320;
      const turnedY = (x * Math.sqrt(3)) / 2 + y / 2 + 320;
      const here = picture.pixels[(j * 640 + i) * 3];
      worst = Math.max(worst, Math.abs(here - sampleCubic(picture, turnedX, turnedY, 0)));
    }
  }
  t.ok(worst <= 2, `${worst} levels`);
});

t.test("reports strain for square tiles of hexagonal groups only", async (t) => {
  const strains = { "2x1": 0.1547, "5x3": 0.0392, "7x4": 0.0104, "26x15": 0.00074 } as const;
  for (const [hex_cells, strain] of Object.entries(strains)) {
    const render = { size: 64, hex_cells: hex_cells as keyof typeof strains };
    const rendering = await engine.render(request({ group: "p6", render }));
    await bytesOf(rendering);
    t.ok(Math.abs(rendering.strain - strain) < 6e-5, `${hex_cells}: ${rendering.strain}`);
  }
  for (const ratio of [1, 0.5, 2, 1.5]) {
    const rendering = await engine.render(
      request({ group: "pgg", lattice: { ratio }, render: { size: 64 } }),
    );
    await bytesOf(rendering);
    t.equal(rendering.strain, 0, `pgg with ratio ${ratio}`);
  }
});

t.test("a vignette darkens the corners, not the middle", async (t) => {
  const plain = { ...sheet, size: 128 };
  const surface_effects = [{ id: "vignette", params: { strength: 0.6 } }];
  const without = await pixelsOf(engine, { render: plain });
  const darkened = await pixelsOf(engine, { render: { ...plain, surface_effects } });
  const brightness = ({ pixels, width }: Raster, x: number, y: number) => {
    let sum = 0;
    for (let j = y; j < y + 8; j++) {
      for (let i = x; i < x + 8; i++) sum += pixels[(j * width + i) * 3 + 1];
    }
    return sum / 64;
  };
  for (const [x, y] of [
    [0, 0],
    [292, 0],
    [0, 202],
    [292, 202],
  ] as const) {
    t.ok(brightness(darkened, x, y) < 0.75 * brightness(without, x, y), `corner ${x}, ${y}`);
  }
  t.ok(Math.abs(brightness(darkened, 146, 101) - brightness(without, 146, 101)) <= 1, "middle");
});

t.test("effects do not depend on bands", async (t) => {
  // 2 × 2¹⁸ pixels and a few rows: three bands.
  const render = {
    ...sheet,
    surface_width: 1000,
    surface_height: 530,
    size: 64,
    surface_effects: [{ id: "grain", params: { strength: 0.4 } }, { id: "vignette" }],
  };
  const picture = await pixelsOf(engine, { render });
  const rows = (y: number) => crop(picture, 0, y, 1000, 1);
  // Rows at the border of two bands do not differ from the rows around it.
  const step = (y: number) => {
    const [above, below] = [rows(y - 1).pixels, rows(y).pixels];
    return above.reduce((sum, value, i) => sum + Math.abs(value - below[i]), 0);
  };
  t.ok(step(262) < 1.5 * Math.max(step(261), step(263), step(262 + 64), step(262 - 64)));
});

t.test("transparent places stay transparent, or show the background", async (t) => {
  const { width, height, pixels } = photograph(200, 200);
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    rgba.set(pixels.subarray(i * 3, i * 3 + 3), i * 4);
    rgba[i * 4 + 3] = Math.hypot((i % width) - 100, Math.floor(i / width) - 100) < 70 ? 255 : 0;
  }
  const source = pngOf({ width, height, channels: 4, pixels: rgba });
  const clear = await pixelsOf(engine, { source, render: { size: 128 } });
  t.equal(clear.channels, 4);
  const alphas = new Set(clear.pixels.filter((_, i) => i % 4 === 3));
  t.ok(alphas.has(0) && alphas.has(255));
  const laid = await pixelsOf(engine, { source, background: "#3366cc", render: { size: 128 } });
  t.equal(laid.channels, 3);
  const hole = clear.pixels.findIndex((value, i) => i % 4 === 3 && value === 0) >> 2;
  t.strictSame([...laid.pixels.subarray(hole * 3, hole * 3 + 3)], [0x33, 0x66, 0xcc]);
});

t.test("effects apply to the background, too", async (t) => {
  const clear = new Uint8Array(64 * 64 * 4);
  const source = pngOf({ width: 64, height: 64, channels: 4, pixels: clear });
  const surface_effects = [{ id: "vignette", params: { strength: 1 } }];
  const render = { ...sheet, size: 100, surface_effects };
  const { pixels } = await pixelsOf(engine, { source, background: "#ffffff", render });
  t.ok(pixels[0] < 100, `the corner is ${pixels[0]}`);
});

t.test("JPEG and WebP show the same picture as PNG", async (t) => {
  const { default: sharp } = await import("sharp");
  const expected = await pixelsOf(engine, { render: { size: 160 } });
  for (const format of ["jpeg", "webp"] as const) {
    const rendering = await engine.render(request({ render: { size: 160, format, quality: 95 } }));
    t.equal(rendering.mediaType, `image/${format}`);
    const { data } = await sharp(await bytesOf(rendering))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const sum = expected.pixels.reduce((total, v, i) => total + Math.abs(v - data[i]), 0);
    t.ok(sum / data.length < 6, `${format}: ${sum / data.length} levels on average`);
  }
});

t.test("the PNG has the resolution", async (t) => {
  const png = await bytesOf(await engine.render(request({ render: { size: 16, dpi: 254 } })));
  const at = Buffer.from(png).indexOf("pHYs");
  t.equal(Buffer.from(png).readUInt32BE(at + 4), 10000, "pixels a metre");
  t.equal(rasterOf(png).width, 16);
});
