/**
 * One contract for all backends: the pictures of `webasm` within 1 level. (gpu.js's `cpu` computes
 * in 64-bit floats, and a GPU may fuse multiplications and additions.) A GPU in software takes half a
 * minute: it is for the long run.
 */
import t from "tap";
import { createEngine } from "../../engine/index.ts";
import { pixelsOf, type RequestParts, testEngine } from "../helpers/engine.ts";
import { photograph, pngOf, type Raster, rasterWithin } from "../helpers/pictures.ts";
import { all, some } from "../helpers/random-subset.ts";
import { hideGpu, missingSoftwareGpu, useSoftwareGpu } from "../helpers/software-gpu.ts";

const reference = await testEngine(t);
const surface = { mode: "surface", surface_width: 150, surface_height: 100 } as const;
const effects = [{ id: "vignette", params: { strength: 0.5 } }, { id: "grain" }];

const { width, height, pixels } = photograph(120, 90);
const faded = new Uint8Array(width * height * 4);
for (let i = 0; i < width * height; i++) {
  faded.set(pixels.subarray(i * 3, i * 3 + 3), i * 4);
  faded[i * 4 + 3] = (i * 7) % 256;
}

const plain = (level: number) =>
  pngOf({ width: 8, height: 8, channels: 3, pixels: new Uint8Array(192).fill(level) });

const CASES: Record<string, RequestParts> = {
  "p4, blend": { group: "p4", render: { size: 96 } },
  // More positions than a call of any backend has.
  "p1, in several calls": { group: "p1", render: { size: 640 } },
  "pgg, average": { group: "pgg", seam: { method: "average" }, render: { size: 96 } },
  "p4, cut": { group: "p4", seam: { method: "cut" }, render: { size: 96 } },
  "a cut of a source with alpha": {
    source: pngOf({ width, height, channels: 4, pixels: faded }),
    group: "pg",
    seam: { method: "cut" },
    render: { size: 96 },
  },
  "p6, strained": { group: "p6", render: { size: 96 } },
  "p31m, fold": { group: "p31m", seam: { method: "fold" }, render: { size: 96 } },
  enlarged: { motif: { scale: 5, rotation: 20 }, render: { size: 96 } },
  "enlarged, with alpha": {
    source: pngOf({ width, height, channels: 4, pixels: faded }),
    motif: { scale: 5 },
    render: { size: 96 },
  },
  "square pixels": { motif: { scale: 9, rotation: 7, sampling: "pixel" }, render: { size: 96 } },
  "a turned sheet": { group: "pmg", render: { ...surface, size: 80, rotation: 33 } },
  "a sheet with effects": {
    group: "p3",
    render: { ...surface, size: 80, surface_effects: effects },
  },
  // Their mean lightness is a whole number, which gpu.js treats as an integer.
  "a black source": { source: plain(0), seam: { method: "average" }, render: { size: 32 } },
  "a white source": { source: plain(255), seam: { method: "average" }, render: { size: 32 } },
  "a source with alpha": {
    source: pngOf({ width, height, channels: 4, pixels: faded }),
    render: { size: 96 },
  },
};

/** A picture as it shows on black: what hardly shows may differ more, because `webasm` reads light times alpha. */
function shown(picture: Raster): Raster {
  if (picture.channels === 3) return picture;
  const pixels = picture.pixels.map((value, at) =>
    at % 4 === 3 ? value : Math.round((value * (picture.pixels[at - (at % 4) + 3] ?? 0)) / 255),
  );
  return { ...picture, pixels };
}

for (const backend of all ? (["cpu", "webgpu"] as const) : (["cpu"] as const)) {
  const skip = backend === "webgpu" ? (missingSoftwareGpu() ?? false) : false;
  t.test(backend, { skip }, async (t) => {
    if (backend === "webgpu") useSoftwareGpu(t);
    const engine = await createEngine({ backend, threads: 1, queueMax: 8 });
    t.teardown(() => engine.close(1000));
    t.equal(engine.backend, backend);
    for (const [name, parts] of some(Object.entries(CASES), 5)) {
      const expected = await pixelsOf(reference, parts);
      const drawn = await pixelsOf(engine, parts);
      rasterWithin(t, shown(drawn), shown(expected), 1, name);
      rasterWithin(t, await pixelsOf(engine, parts), drawn, 0, `${name}, drawn again`);
    }
  });
}

t.test("throws if the requested backend is not available", async (t) => {
  hideGpu(t);
  await t.rejects(createEngine({ backend: "webgpu", threads: 1, queueMax: 1 }), {
    name: "BackendUnavailable",
    message: /ENGINE_BACKEND=webgpu/,
  });
});
