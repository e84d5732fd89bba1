/**
 * Loaded by `--import` into every thread of a profiled process: records a CPU profile between `start`
 * and `stop`, which come as lines of the socket in PROFILE_SOCKET, and sends it there.
 */
import type { Profiler } from "node:inspector";
import { Session } from "node:inspector/promises";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { isMainThread, threadId } from "node:worker_threads";
import { nameKernels } from "./name-kernels.ts";

/** Lines to the collector, as JSON. */
export type FromRecorder =
  | {
      readonly kind: "hello";
      readonly pid: number;
      /** The script of a main thread; null in a worker. */
      readonly script: string | null;
      readonly thread: number;
    }
  | { readonly kind: "started" }
  | { readonly kind: "profile"; readonly profile: Profiler.Profile };

/** Lines to a recorder. */
export type ToRecorder = "start" | "stop";

const SAMPLING_US = 500;

const path = process.env.PROFILE_SOCKET;
if (path) {
  nameKernels();
  await record(path);
}

async function record(path: string): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: SAMPLING_US });
  let recording = false;
  const socket = connect(path).unref();
  // The collector has ended.
  socket.on("error", () => undefined);
  const send = (message: FromRecorder) => socket.write(`${JSON.stringify(message)}\n`);
  const act: Record<ToRecorder, () => Promise<unknown>> = {
    async start() {
      await session.post("Profiler.start");
      recording = true;
      send({ kind: "started" });
    },
    async stop() {
      recording = false;
      const { profile } = await session.post("Profiler.stop");
      send({ kind: "profile", profile });
    },
  };
  createInterface({ input: socket }).on("line", (line) => act[line as ToRecorder]());
  const script = isMainThread ? (process.argv[1] ?? "") : null;
  send({ kind: "hello", pid: process.pid, script, thread: threadId });
  process.once("beforeExit", async () => {
    if (!recording) return;
    socket.ref();
    await act.stop();
    socket.end();
  });
}
