import t from "tap";
import { gpuSampling } from "../../bench/cases/gpu.ts";
import { runCase } from "../../bench/harness/run-case.ts";
import { openBackend } from "../../engine/backend.ts";
import { missingSoftwareGpu, useSoftwareGpu } from "../helpers/software-gpu.ts";

const silent = () => undefined;

t.test("is skipped without a GPU", async (t) => {
  const withoutGpu = gpuSampling(64, () => openBackend("webasm"));
  await t.rejects(runCase(withoutGpu, 1, silent), {
    name: "Unavailable",
    message: "no WebGPU adapter answers on this machine",
  });
});

const skip = missingSoftwareGpu() ?? false;

t.test("compares a GPU with the CPU and reports its name", { skip }, async (t) => {
  useSoftwareGpu(t);
  const simulated = gpuSampling(64, () => openBackend("webgpu"));
  const { contenders, notes, targets } = await runCase(simulated, 1, silent);
  t.match(contenders[0]?.name, /^webgpu on swiftshader/i);
  t.match(notes[0], /^adapter: .*SwiftShader.*buffers of up to \d+ MiB$/);
  t.equal(targets.length, 1, "it is held against all threads of the CPU");
});
