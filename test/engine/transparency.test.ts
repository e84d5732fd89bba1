/** Sheets of partly transparent sources. */

import t from "tap";
import { encoders } from "../../engine/encoders/index.ts";
import { compositeBackground } from "../../engine/image/samples.ts";
import { surfaceEffects } from "../../engine/index.ts";
import { createEncoder } from "../../engine/render/encode.ts";
import { createPictureMemory } from "../../engine/reused-array.ts";
import { bytesOf, pixelsOf, type RequestParts, request, testEngine } from "../helpers/engine.ts";
import { inProcessCodec } from "../helpers/in-thread.ts";
import { photograph, pngOf, type Raster, rasterWithin } from "../helpers/pictures.ts";
import { some } from "../helpers/random-subset.ts";

const engine = await testEngine(t);

/** A photograph with an alpha of its own, 0…255. */
function withAlpha(
  width: number,
  height: number,
  alphaAt: (x: number, y: number) => number,
): Uint8Array {
  const { pixels } = photograph(width, height);
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    rgba.set(pixels.subarray(i * 3, i * 3 + 3), i * 4);
    rgba[i * 4 + 3] = alphaAt(i % width, Math.floor(i / width));
  }
  return pngOf({ width, height, channels: 4, pixels: rgba });
}

const withHole = withAlpha(420, 310, (x, y) => (Math.hypot(x - 210, y - 155) < 10 ? 0 : 255));
/**
 * Levels by which half transparent pixels on white differ from those of an opaque sheet. Pixels
 * that would have to be brighter than white or darker than black do not count.
 */
function softDifference(clear: Raster, laid: Raster): number {
  const packed = (from: Raster, i: number) =>
    from.pixels
      .subarray(i * from.channels, i * from.channels + 3)
      .reduce((sum, v) => sum * 256 + v);
  const soft = Array.from({ length: clear.width * clear.height }, (_, i) => i).filter((i) => {
    const [green, , alpha] = clear.pixels.subarray(4 * i + 1, 4 * i + 4);
    return alpha > 63 && alpha < 255 && green > 0 && green < 255;
  });
  const { colour } = compositeBackground(
    {
      colour: Float32Array.from(soft, (i) => packed(clear, i)),
      alpha: Float32Array.from(soft, (i) => clear.pixels[4 * i + 3]),
    },
    "#ffffff",
  );
  const differences = soft.map((i, k) =>
    Math.abs(((colour[k] >> 8) & 255) - laid.pixels[3 * i + 1]),
  );
  return differences.reduce((sum, difference) => sum + difference, 0) / soft.length;
}

const alphasOf = ({ pixels }: Raster) => pixels.filter((_, i) => i % 4 === 3);
const reaching = surfaceEffects.filter(({ reach }) => reach !== undefined).map(({ id }) => id);

t.test("a sheet has alpha in all bands if its source has alpha anywhere", async (t) => {
  // Four bands; the hole of a tile as large as two of them is in a few rows.
  const render = {
    mode: "aperiodic",
    surface_width: 1000,
    surface_height: 900,
    cell: 700,
    aperiodic: { outline_width: 0 },
  } as const;
  for (const kind of some(["penrose_p3", "quasicrystal"] as const, 1)) {
    const sheet = { ...render, aperiodic: { ...render.aperiodic, kind } };
    const plain = await pixelsOf(engine, { source: withHole, render: sheet });
    t.equal(plain.channels, 4, `${kind} is transparent`);
    for (const ids of [["emboss"], ["emboss", "misregistration"]]) {
      const surface_effects = ids.map((id) => ({ id }));
      const parts = { source: withHole, render: { ...sheet, surface_effects } };
      t.strictSame(alphasOf(await pixelsOf(engine, parts)), alphasOf(plain), `${kind}: ${ids}`);
      const jpeg = request({ ...parts, render: { ...parts.render, format: "jpeg" } });
      t.ok((await bytesOf(await engine.render(jpeg))).length > 10_000, `${kind}: ${ids} as jpeg`);
    }
  }
});

t.test("an encoder rejects bands of which only some have alpha", async (t) => {
  const colour = new Float32Array(16 * 8);
  const alpha = new Float32Array(16 * 8).fill(255);
  for (const format of ["png", "jpeg"] as const) {
    const checkpoint = async () => undefined;
    const pictureMemory = createPictureMemory(1 << 20);
    const resources = { codec: inProcessCodec, encoders, pictureMemory, checkpoint };
    const encoder = createEncoder(resources, request({ render: { format, size: 16 } }));
    await encoder.band({ colour, alpha: null, firstRow: 0, rows: 8 });
    await t.rejects(async () => encoder.band({ colour, alpha, firstRow: 8, rows: 8 }), {
      message: "row 8 has 4 channels where the first had 3",
    });
  }
});

t.test("effects that read neighbours see white paper under transparency", async (t) => {
  // Discs with a soft edge, one to a cell.
  const source = withAlpha(200, 200, (x, y) =>
    Math.min(Math.max((70 - Math.hypot(x - 100, y - 100)) * 12, 0), 255),
  );
  const parts = (surface_effects: NonNullable<RequestParts["render"]>["surface_effects"] & {}) =>
    ({
      group: "p1",
      source,
      seam: { width: 0 },
      render: {
        mode: "surface",
        surface_width: 200,
        surface_height: 200,
        cell: 200,
        surface_effects,
      },
    }) as const;
  t.not(reaching.length, 0);
  for (const id of reaching) {
    const clear = await pixelsOf(engine, parts([{ id }]));
    const laid = await pixelsOf(engine, { ...parts([{ id }]), background: "#ffffff" });
    let wrong = 0;
    let opaque = 0;
    for (let i = 0; i < 200 * 200; i++) {
      if (clear.pixels[4 * i + 3] !== 255) continue;
      opaque++;
      for (let channel = 0; channel < 3; channel++) {
        if (clear.pixels[4 * i + channel] !== laid.pixels[3 * i + channel]) wrong++;
      }
    }
    t.ok(opaque > 5000, `${opaque} opaque pixels`);
    t.equal(wrong, 0, `${id}: opaque pixels are as on paper`);
    t.ok(softDifference(clear, laid) < 1.5, `${id}: ${softDifference(clear, laid)} levels`);

    const off = await pixelsOf(engine, parts([{ id, params: { strength: 0 } }]));
    rasterWithin(t, off, await pixelsOf(engine, parts([])), 0, `${id} with strength 0`);
  }
});
