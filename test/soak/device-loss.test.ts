/** A lost GPU is reopened once and then replaced by the CPU. */
import t from "tap";
import { createEngine } from "../../engine/pool/engine.ts";
import { FAULTS } from "../engine/fault-codes.ts";
import { bytesOf, pixelsOf, type RequestParts, request, testEngine } from "../helpers/engine.ts";
import { rasterOf, rasterWithin } from "../helpers/pictures.ts";
import { missingSoftwareGpu, useSoftwareGpu } from "../helpers/software-gpu.ts";

const WORKER = new URL("../engine/gpu-loss-worker.ts", import.meta.url);

const skip = missingSoftwareGpu() ?? false;

t.test("a render completes after its GPU is lost", { skip }, async (t) => {
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
    render: { mode: "surface", surface_width: 2000, surface_height: 1060, rotation: 9, size: 300 },
  };
  const expected = await pixelsOf(reference, tile);
  const expectedSheet = await pixelsOf(reference, sheet);
  for (const [parts, dpi, message] of [
    [tile, 300, "with its GPU"],
    [tile, FAULTS.losesGpu, "with another one"],
    [tile, 300, "and goes on with that"],
    // Each of its strips loses one.
    [sheet, FAULTS.losesGpu, "with one for each strip"],
    [tile, 300, "and goes on with the last"],
  ] as const) {
    const drawn = await draw(parts, dpi);
    t.equal(drawn.backend, "webgpu", message);
    rasterWithin(t, drawn.raster, parts === tile ? expected : expectedSheet, 1, message);
  }
  for (const dpi of [FAULTS.losesEachGpu, 300]) {
    const drawn = await draw(tile, dpi);
    t.equal(drawn.backend, "webasm", "with none");
    t.strictSame(drawn.raster, expected);
  }
});
