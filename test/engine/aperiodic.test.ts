/** Aperiodic sheets as rendered; the tilings have tests of their own. */
import t from "tap";
import { Value } from "typebox/value";
import {
  APERIODIC_KINDS,
  type Aperiodic,
  Aperiodic as AperiodicFields,
  type RenderFields,
  tileEdgesOf,
} from "../../engine/index.ts";
import { pixelsOf, type RequestParts, testEngine } from "../helpers/engine.ts";
import {
  meanDifference,
  photograph,
  pngOf,
  type Raster,
  rasterWithin,
} from "../helpers/pictures.ts";

const engine = await testEngine(t);

const sheet = (
  aperiodic: Partial<Aperiodic>,
  fields: Partial<RenderFields> = {},
): NonNullable<RequestParts["render"]> => ({
  mode: "aperiodic",
  surface_width: 220,
  surface_height: 160,
  cell: 30,
  ...fields,
  aperiodic,
});

/** Rows from … of a raster. */
const below = ({ width, height, channels, pixels }: Raster, rows: number): Raster => ({
  width,
  height: height - rows,
  channels,
  pixels: pixels.slice(rows * width * channels),
});

const above = ({ width, channels, pixels }: Raster, height: number): Raster => ({
  width,
  height,
  channels,
  pixels: pixels.slice(0, height * width * channels),
});

for (const kind of APERIODIC_KINDS) {
  t.test(`${kind}: the seed determines the sheet`, async (t) => {
    // Small tiles: on a sheet of a few, two places can look the same.
    const draw = (seed: number) => pixelsOf(engine, { render: sheet({ kind, seed }, { cell: 8 }) });
    const first = await draw(1);
    rasterWithin(t, await draw(1), first, 0, "again");
    const other = await draw(2);
    t.ok(meanDifference(other, first) > 5);
  });

  t.test(`${kind}: bands join without a seam`, async (t) => {
    // 2.5 bands; shifted up, other rows are at their edges.
    const long = { surface_width: 700, surface_height: 900, cell: 60 };
    const whole = await pixelsOf(engine, { render: sheet({ kind }, long) });
    const shifted = await pixelsOf(engine, {
      render: sheet({ kind }, { ...long, offset: { x: 0, y: -130 } }),
    });
    rasterWithin(t, above(shifted, 770), below(whole, 130), 1, "the same rows");
  });

  t.test(`${kind}: a quarter turn gives the rotated sheet`, async (t) => {
    const square = { surface_width: 150, surface_height: 150 };
    const upright = await pixelsOf(engine, { render: sheet({ kind }, square) });
    const turned = await pixelsOf(engine, {
      render: sheet({ kind }, { ...square, rotation: 90, offset: { x: 150, y: 0 } }),
    });
    const back = new Uint8Array(turned.pixels.length);
    for (let y = 0; y < 150; y++) {
      for (let x = 0; x < 150; x++) {
        const from = (x * 150 + (149 - y)) * 3;
        back.set(turned.pixels.subarray(from, from + 3), (y * 150 + x) * 3);
      }
    }
    rasterWithin(t, { ...turned, pixels: back }, upright, 1, kind);
  });
}

t.test("flat tiles have one colour for each kind", async (t) => {
  for (const [kind, kinds] of [
    ["penrose_p3", 2],
    ["spectre", 1],
  ] as const) {
    const fields = sheet({ kind, fill: "flat", outline_width: 0 }, { cell: 60 });
    const { pixels } = await pixelsOf(engine, { render: fields });
    const counts = new Map<string, number>();
    for (let k = 0; k < pixels.length; k += 3) {
      const colour = pixels.subarray(k, k + 3).join();
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const common = [...counts.values()].filter((count) => count > pixels.length / 300);
    t.equal(common.length, kinds, kind);
  }
});

t.test("flat tiles have the same colours at any size, with effects too", async (t) => {
  for (const effects of [[], [{ id: "sepia" }], [{ id: "halftone" }]]) {
    const source = await engine.drawPreset("floral", 2, 600);
    const coloursAt = async (cell: number) => {
      const wide = { cell, surface_width: 6 * cell, surface_height: 5 * cell };
      const render = sheet({ kind: "penrose_p3", fill: "flat", outline_width: 0 }, wide);
      const { pixels } = await pixelsOf(engine, { source, effects, render });
      const counts = new Map<string, number>();
      for (let k = 0; k < pixels.length; k += 3) {
        const colour = pixels.subarray(k, k + 3).join();
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
      }
      const [first, second] = [...counts].sort(([, a], [, b]) => b - a);
      return [first[0], second[0]].sort();
    };
    const colours = await coloursAt(16);
    for (const cell of [50, 128]) t.same(await coloursAt(cell), colours, `cell ${cell}`);
  }
});

t.test("varied tiles have few colours besides their outlines", async (t) => {
  const lines = { fill: "varied", outline_width: 0 } as const;
  const { pixels } = await pixelsOf(engine, { render: sheet(lines, { cell: 60 }) });
  const counts = new Map<number, number>();
  for (let k = 0; k < pixels.length; k += 3) {
    const packed = pixels[k] * 65536 + pixels[k + 1] * 256 + pixels[k + 2];
    counts.set(packed, (counts.get(packed) ?? 0) + 1);
  }
  const common = [...counts.values()].sort((a, b) => b - a).slice(0, 20);
  const share = common.reduce((sum, count) => sum + count, 0) / (pixels.length / 3);
  t.ok(share > 0.85, `20 colours are ${share} of the sheet`);
});

t.test("tiles of one plain colour leave no gap and no seam", async (t) => {
  const pixels = new Uint8Array(32 * 32 * 3).fill(150);
  const source = pngOf({ width: 32, height: 32, channels: 3, pixels });
  for (const kind of APERIODIC_KINDS) {
    const fields = sheet({ kind, outline_width: 0 }, { rotation: 13 });
    const plain = await pixelsOf(engine, { source, render: fields });
    t.ok(
      plain.pixels.every((value) => Math.abs(value - 150) <= 1),
      kind,
    );
  }
});

t.test("tiles have lines or run into each other, unless both are requested", (t) => {
  const edges = (fields: Partial<Aperiodic>) =>
    tileEdgesOf({ ...Value.Create(AperiodicFields), ...fields });
  t.strictSame(edges({}), { outline: 0, blend: 0.25 });
  t.strictSame(edges({ outline_width: 0.1 }), { outline: 0.1, blend: 0 });
  t.strictSame(edges({ blend: 0 }), { outline: 0.03, blend: 0 });
  t.strictSame(edges({ blend: 0.1, outline_width: 0.1 }), { outline: 0.1, blend: 0.1 });
  t.strictSame(edges({ fill: "flat", blend: 0.1 }), { outline: 0.03, blend: 0 });
  t.end();
});

t.test("pictures of neighbouring tiles run into each other", async (t) => {
  // A ramp: black meets white along most edges.
  const pixels = Uint8Array.from({ length: 256 * 256 * 3 }, (_, k) => Math.floor(k / 3) % 256);
  const source = pngOf({ width: 256, height: 256, channels: 3, pixels });
  for (const kind of APERIODIC_KINDS.filter((kind) => kind !== "quasicrystal")) {
    const steepest = async (blend: number) => {
      const fields = { kind, blend, outline_width: 0 };
      const render = sheet(fields, { cell: 80 });
      const { width, pixels } = await pixelsOf(engine, { source, render });
      let most = 0;
      for (let k = 3; k < pixels.length; k += 3) {
        if ((k / 3) % width > 0) most = Math.max(most, Math.abs(pixels[k] - pixels[k - 3]));
      }
      return most;
    };
    const [sharp, soft] = [await steepest(0), await steepest(0.25)];
    t.ok(soft < 0.6 * sharp, `${kind}: ${soft} of ${sharp}`);
  }
});

t.test("the look changes gradually with the zone", async (t) => {
  const drawn = async (blend: number) => {
    const render = sheet({ blend, outline_width: 0 }, { cell: 8 });
    return pixelsOf(engine, { render });
  };
  let before = await drawn(0.1);
  for (let hundredths = 11; hundredths <= 50; hundredths += 3) {
    const now = await drawn(hundredths / 100);
    const difference = meanDifference(now, before);
    t.ok(difference < 1, `${hundredths / 100}: ${difference} levels`);
    before = now;
  }
});

t.test("tiles that vary depend on their places alone", async (t) => {
  const long = { surface_width: 500, surface_height: 400, cell: 60 };
  for (const kind of ["penrose_p3", "hat", "spectre"] as const) {
    const alike = await pixelsOf(engine, { render: sheet({ kind }, long) });
    for (const variation of ["turns", "parts"] as const) {
      const drawn = await pixelsOf(engine, { render: sheet({ kind, variation }, long) });
      const shifted = await pixelsOf(engine, {
        render: sheet({ kind, variation }, { ...long, offset: { x: 0, y: -130 } }),
      });
      rasterWithin(t, above(shifted, 270), below(drawn, 130), 1, `${kind}, ${variation}`);
      t.ok(meanDifference(drawn, alike) > 3, `${kind}, ${variation}: another picture`);
    }
  }
});

t.test("parts of a large source stay sharp with effects", async (t) => {
  // Dots as computed in the sheet's pixels have edges of about one.
  const source = pngOf(photograph(2400, 1600));
  const aperiodic = { variation: "parts", blend: 0, outline_width: 0 } as const;
  const motif = { scale: 8 };
  const effects = [{ id: "halftone" }];
  const render = sheet(aperiodic, { cell: 400 });
  const { width, pixels } = await pixelsOf(engine, { source, motif, effects, render });
  let steep = 0;
  for (let k = 3; k < pixels.length; k++) {
    const isInside = Math.floor(k / 3) % width > 0;
    if (isInside && Math.abs(pixels[k] - pixels[k - 3]) > 100) steep++;
  }
  t.ok(steep > pixels.length / 50, `${steep} of ${pixels.length} steps`);
});

t.test("outlines have the requested width and colour", async (t) => {
  const pixels = new Uint8Array(32 * 32 * 3).fill(255);
  const source = pngOf({ width: 32, height: 32, channels: 3, pixels });
  const share = async (outline_width: number) => {
    const fields = { outline_width, outline_colour: "#ff0000" };
    const { pixels } = await pixelsOf(engine, { source, render: sheet(fields, { cell: 180 }) });
    let green = 0;
    for (let k = 1; k < pixels.length; k += 3) green += pixels[k];
    t.ok(pixels.every((value, k) => k % 3 !== 0 || value === 255));
    return 1 - green / (pixels.length / 3) / 255;
  };
  // Thin lines cover twice the area when they are twice as wide.
  const [thin, wide] = [await share(0.02), await share(0.04)];
  t.equal(await share(0), 0);
  t.ok(wide / thin > 1.7 && wide / thin < 2.2, `${thin} and ${wide}`);
});

t.test("transparent sources stay transparent or show the background", async (t) => {
  // Stripes: half a row clear, half a row opaque.
  const pixels = new Uint8Array(40 * 40 * 4).map((_, k) => {
    if (k % 4 !== 3) return 90;
    return k % 160 < 80 ? 0 : 255;
  });
  const source = pngOf({ width: 40, height: 40, channels: 4, pixels });
  const clear = await pixelsOf(engine, { source, render: sheet({ outline_width: 0 }) });
  t.equal(clear.channels, 4);
  const alphas = new Set(clear.pixels.filter((_, k) => k % 4 === 3));
  t.ok(alphas.has(0) && alphas.has(255));
  const laid = await pixelsOf(engine, {
    source,
    background: "#00ff00",
    render: sheet({ outline_width: 0 }),
  });
  t.equal(laid.channels, 3);
});

t.test("pattern effects change the fill, including those that read neighbours", async (t) => {
  const plain = await pixelsOf(engine, { render: sheet({}) });
  for (const id of ["invert", "blur", "halftone"]) {
    const changed = await pixelsOf(engine, { effects: [{ id }], render: sheet({}) });
    t.ok(meanDifference(changed, plain) > 0.5, id);
  }
});

t.test("waves stay within the box of the source", async (t) => {
  // Black on the left, white on the right: beyond an edge, a picture with effects would continue with
  // the other end.
  const pixels = Uint8Array.from({ length: 256 * 256 * 3 }, (_, k) => Math.floor(k / 3) % 256);
  const source = pngOf({ width: 256, height: 256, channels: 3, pixels });
  const effects = [{ id: "blur", params: { radius: 0.0001 } }];
  for (const n of [5, 12, 13]) {
    for (const fill of ["image", "flat"] as const) {
      const wide = { surface_width: 900, surface_height: 900, cell: 30 };
      const render = sheet({ kind: "quasicrystal", n, fill }, wide);
      const plain = await pixelsOf(engine, { source, render });
      const changed = await pixelsOf(engine, { source, effects, render });
      rasterWithin(t, changed, plain, 12, `n ${n}, ${fill}`);
    }
  }
});

t.test("a sheet drawn in parts has no seams", async (t) => {
  // An upright one is sampled in one column, a rotated one in three.
  const wide = { surface_width: 700, surface_height: 120, cell: 60 };
  for (const outline_width of [0, 0.4]) {
    for (const kind of ["penrose_p3", "hat"] as const) {
      const whole = await pixelsOf(engine, { render: sheet({ kind, outline_width }, wide) });
      const askew = await pixelsOf(engine, {
        render: sheet({ kind, outline_width }, { ...wide, rotation: 1e-9 }),
      });
      rasterWithin(t, askew, whole, 1, `${kind}, outlines ${outline_width}`);
    }
  }
});
