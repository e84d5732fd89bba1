/**
 * A worker that loses its GPU before some renders: the current device, or each one that it opens.
 */
import type { Task } from "../../engine/pool/job.ts";
import work from "../../engine/pool/worker.ts";
import { FAULTS } from "./fault-codes.ts";

const devices: GPUDevice[] = [];
let isWatching = false;
let losesEach = false;

/** Tracks all devices from now on; Dawn's classes exist once a GPU was opened. */
function watchDevices() {
  if (isWatching || !("GPUAdapter" in globalThis)) return;
  isWatching = true;
  const { prototype } = GPUAdapter;
  const { requestDevice } = prototype;
  prototype.requestDevice = async function (...asked) {
    const device = await requestDevice.apply(this, asked);
    devices.push(device);
    if (losesEach) device.destroy();
    return device;
  };
}

export default async function losing(task: Task) {
  const { job } = task;
  watchDevices();
  if (job.kind === "render" || job.kind === "strip") {
    const { dpi } = "print" in job.request ? job.request.print : job.request.render;
    losesEach = dpi === FAULTS.losesEachGpu;
    if (losesEach || dpi === FAULTS.losesGpu) {
      for (const device of devices.splice(0)) device.destroy();
    }
  }
  return work(task);
}
