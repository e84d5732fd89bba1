/** Case 9: samples every pixel of a large tile on a GPU and on this machine's CPU. */
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { openBackend } from "../../engine/backend.ts";
import { bytesOf } from "../../engine/image/samples.ts";
import type { KernelRunner } from "../../engine/kernel-runner.ts";
import { plainDesign } from "../../engine/recipe/index.ts";
import { type BenchCase, type PreparedCase, Unavailable } from "../harness/case.ts";
import { assertSamePixels } from "../harness/compare-pixels.ts";
import { timed } from "../harness/timed.ts";
import { photoLike } from "../pictures/photo-like.ts";
import { everyPixel } from "./every-pixel.ts";
import { asUpload, contextOf } from "./in-thread-engine.ts";

const SOURCE_SIZE = 1024;
const CPU = "webasm in all threads";

/**
 * Returns the case for a tile of `size` × `size` pixels.
 * @param open opens the GPU, or another backend if there is none
 */
export const gpuSampling = (size: number, open: () => Promise<KernelRunner>): BenchCase => ({
  name: "gpu",
  number: 9,
  title: `GPU: every pixel of a p1 tile of ${size}² sampled and read back`,
  scope: "kernel figure",
  fairness:
    "Both start from a decoded source and end with packed colours in memory; what JavaScript does on the way (lines, positions, copies) counts. The CPU samples one such tile in every hardware thread at once, and its time is divided by their number.",
  metrics: [
    { name: "ms", unit: "ms", better: "lower" },
    { name: "mpx", unit: "Mpx/s", better: "higher" },
  ],
  targets: [{ metric: "ms", peer: CPU, must: 5 }],
  prepare: () => prepare(size, open),
});

export const gpu = gpuSampling(8192, () => openBackend("auto"));

async function prepare(size: number, open: () => Promise<KernelRunner>): Promise<PreparedCase> {
  const runner = await open();
  if (runner.backend !== "webgpu") {
    await runner.close();
    throw new Unavailable("no WebGPU adapter answers on this machine");
  }
  const context = contextOf(runner);
  const design = plainDesign("p1");
  const source = asUpload(photoLike(SOURCE_SIZE));
  const sample = () => everyPixel(context, design, source, size);
  const threads = Array.from({ length: availableParallelism() }, () => startThread(size));
  const reading = (ms: number) => ({ ms, mpx: (size * size) / 1000 / ms });
  return {
    contenders: [
      {
        name: `webgpu on ${runner.device}`,
        ours: true,
        run: async () => reading(await timed(sample)),
      },
      {
        name: CPU,
        ours: false,
        async run() {
          const all = () => Promise.all(threads.map((thread) => thread.sample()));
          return reading((await timed(all)) / threads.length);
        },
      },
    ],
    notes: [await describeAdapter(), `${threads.length} threads`],
    versions: {},
    async check() {
      const reference = await openBackend("webasm");
      const expected = await everyPixel(contextOf(reference), design, source, size);
      assertSamePixels("webgpu", bytesOf(await sample()), bytesOf(expected), {
        most: 1,
        mean: 0.1,
      });
      await reference.close();
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.end()));
      await runner.close();
    },
  };
}

/** A thread of this machine's CPU that samples the same tile. */
function startThread(size: number) {
  const worker = new Worker(new URL("../tasks/sampling-thread.ts", import.meta.url), {
    workerData: { size, source: SOURCE_SIZE },
  });
  return {
    async sample() {
      worker.postMessage("sample");
      await once(worker, "message");
    },
    end: () => worker.terminate(),
  };
}

/** Describes the adapter. */
async function describeAdapter(): Promise<string> {
  const adapter = await navigator.gpu.requestAdapter();
  if (adapter === null) return "no adapter";
  const { vendor, architecture, device, description } = adapter.info;
  const buffer = adapter.limits.maxBufferSize / 2 ** 20;
  return `adapter: ${[description, device, vendor, architecture].filter(Boolean).join(", ")}; buffers of up to ${buffer} MiB`;
}
