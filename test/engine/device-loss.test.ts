/** A GPU that is lost: opened anew once, and then done without. */
import t from "tap";
import { createEngine } from "../../engine/pool/engine.ts";
import { bytesOf, pixelsOf, type RequestParts, request, testEngine } from "../helpers/engine.ts";
import { rasterOf, rasterWithin } from "../helpers/pictures.ts";
import { missingSoftwareGpu, useSoftwareGpu } from "../helpers/software-gpu.ts";
import { FATES } from "./fates.ts";

const WORKER = new URL("./losing-worker.ts", import.meta.url);

const skip = missingSoftwareGpu() ?? false;

t.test("a render whose GPU is lost is made all the same", { skip }, async (t) => {
  useSoftwareGpu(t);
  const engine = await createEngine({ backend: "webgpu", threads: 1, queueMax: 8 }, WORKER);
  t.teardown(() => engine.close(1000));
  const reference = await testEngine(t, { backend: "webasm" });
  const draw = async (parts: RequestParts, dpi: number) => {
    const rendering = await engine.render(request({ ...parts, render: { ...parts.render, dpi } }));
    return { backend: rendering.backend, raster: rasterOf(await bytesOf(rendering)) };
  };
  const tile: RequestParts = { render: { size: 96 } };
  const sheet: RequestParts = {
    render: { mode: "surface", surface_width: 2000, surface_height: 1200, rotation: 9, size: 300 },
  };
  for (const parts of [tile, sheet]) {
    const expected = await pixelsOf(reference, parts);
    for (const [dpi, backend, message] of [
      [300, "webgpu", "with its GPU"],
      [FATES.losesGpu, "webgpu", "with another one"],
      [300, "webgpu", "and goes on with that"],
    ] as const) {
      const drawn = await draw(parts, dpi);
      t.equal(drawn.backend, backend, message);
      rasterWithin(t, drawn.raster, expected, 1, message);
    }
  }
  const expected = await pixelsOf(reference, tile);
  for (const dpi of [FATES.losesEachGpu, 300]) {
    const drawn = await draw(tile, dpi);
    t.equal(drawn.backend, "webasm", "with none");
    t.strictSame(drawn.raster, expected);
  }
});
