/**
 * Imported into a process by `--import`: each SIGUSR2 makes one of its render threads fill its heap
 * in the middle of a job, which ends the thread.
 */
import { writeSync } from "node:fs";
import {
  BroadcastChannel,
  isMainThread,
  type MessagePort,
  receiveMessageOnPort,
  workerData,
} from "node:worker_threads";
import { EXHAUSTED } from "./exhausted.ts";

const channel = new BroadcastChannel("exhaust memory");
channel.unref();

function fillHeap(): never {
  writeSync(2, `${EXHAUSTED}\n`);
  for (const filled: number[][] = []; ; ) filled.push(Array(2 ** 20).fill(0.5 + filled.length));
}

/** Whether this thread is the first that sees a signal. */
const isMeant = () => {
  const received = receiveMessageOnPort(channel as unknown as MessagePort);
  return received !== undefined && Atomics.exchange(received.message, 0, 1) === 0;
};

if (isMainThread) {
  process.on("SIGUSR2", () => channel.postMessage(new Int32Array(new SharedArrayBuffer(4))));
} else if (workerData?.cacheBytes !== undefined) {
  // Jobs look in shared memory whether they are cancelled; they read no messages meanwhile.
  const { load } = Atomics;
  Atomics.load = ((array: Int32Array, index: number) => {
    if (isMeant()) fillHeap();
    return load(array, index);
  }) as typeof load;
}
