/** One contract for all backends: the same pictures, to the bit on the CPU, within 1 level on a GPU. */
import t from "tap";
import { createEngine } from "../../engine/index.ts";
import { pixelsOf, type RequestParts, testEngine } from "../helpers/engine.ts";
import { photograph, pngOf, rasterWithin } from "../helpers/pictures.ts";
import { hideGpu, missingSoftwareGpu, useSoftwareGpu } from "../helpers/software-gpu.ts";

const reference = await testEngine(t, { backend: "webasm" });
const surface = { mode: "surface", surface_width: 150, surface_height: 100 } as const;
const effects = [{ id: "vignette", params: { strength: 0.5 } }, { id: "grain" }];

const { width, height, pixels } = photograph(120, 90);
const faded = new Uint8Array(width * height * 4);
for (let i = 0; i < width * height; i++) {
  faded.set(pixels.subarray(i * 3, i * 3 + 3), i * 4);
  faded[i * 4 + 3] = (i * 7) % 256;
}

const CASES: Record<string, RequestParts> = {
  "p4, blend": { group: "p4", render: { size: 96 } },
  "pgg, average": { group: "pgg", seam: { method: "average" }, render: { size: 96 } },
  "p6, strained": { group: "p6", render: { size: 96 } },
  "p31m, fold": { group: "p31m", seam: { method: "fold" }, render: { size: 96 } },
  "a turned sheet": { group: "pmg", render: { ...surface, size: 80, rotation: 33 } },
  "a sheet with effects": {
    group: "p3",
    render: { ...surface, size: 80, surface_effects: effects },
  },
  "a source with alpha": {
    source: pngOf({ width, height, channels: 4, pixels: faded }),
    render: { size: 96 },
  },
};

for (const backend of ["cpu", "webgpu"] as const) {
  const skip = backend === "webgpu" ? (missingSoftwareGpu() ?? false) : false;
  t.test(backend, { skip }, async (t) => {
    if (backend === "webgpu") useSoftwareGpu(t);
    const engine = await createEngine({ backend, threads: 1, queueMax: 8 });
    t.teardown(() => engine.close(1000));
    t.equal(engine.backend, backend);
    for (const [name, parts] of Object.entries(CASES)) {
      const tolerance = backend === "cpu" ? 0 : 1;
      const expected = await pixelsOf(reference, parts);
      rasterWithin(t, await pixelsOf(engine, parts), expected, tolerance, name);
    }
    for (const preset of ["floral", "marble", "geometric", "voronoi"]) {
      const [expected, actual] = await Promise.all(
        [reference, engine].map((one) => one.drawPreset(preset, 3, 64)),
      );
      t.ok(actual !== undefined && expected !== undefined && actual.length > 100, preset);
    }
  });
}

t.test("a backend that is not there is an error when it is asked for", async (t) => {
  hideGpu(t);
  await t.rejects(createEngine({ backend: "webgpu", threads: 1, queueMax: 1 }), {
    name: "BackendUnavailable",
    message: /ENGINE_BACKEND=webgpu/,
  });
});
