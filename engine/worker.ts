/** Piscina's side in the thread: one backend, one set of source pictures, one job at a time. */
import { setImmediate } from "node:timers/promises";
import { isMarkedAsUntransferable, type MessagePort } from "node:worker_threads";
import { workerData } from "piscina";
import { type KernelRunner, openBackend } from "./backend.ts";
import { toPlain } from "./errors.ts";
import { giveWay } from "./give-way.ts";
import { inspect } from "./image/decode.ts";
import {
  type Job,
  type Outcome,
  type ReaderMessage,
  type RenderMessage,
  type Results,
  type Streamed,
  WINDOW_BYTES,
  type WorkerSetup,
} from "./job.ts";
import { drawMockup } from "./mockups/draw-mockup.ts";
import { print } from "./print/print.ts";
import { Cancelled, type RenderContext } from "./render/context.ts";
import { drawPreset } from "./render/preset.ts";
import { type Clock, type Made, render, type Sink } from "./render/render.ts";
import { createSources, type Sources } from "./render/sources.ts";
import { certificateOf } from "./validate.ts";

interface Bench {
  readonly runner: KernelRunner;
  readonly sources: Sources;
}

const setup = workerData as WorkerSetup;
giveWay();
let opened: Promise<Bench> | undefined;

/** Opened by the first job, so that a backend that is not there is that job's failure. */
function open(): Promise<Bench> {
  opened ??= openBackend(setup.backend)
    .then((runner) => ({ runner, sources: createSources(runner, setup.cacheBytes) }))
    .catch((error) => {
      opened = undefined;
      throw error;
    });
  return opened;
}

export default async function work(job: Job): Promise<Outcome<Results[Job["kind"]]>> {
  try {
    return { ok: true, result: await perform(job) };
  } catch (error) {
    return { ok: false, error: toPlain(error) };
  }
}

async function perform(job: Job): Promise<Results[Job["kind"]]> {
  if (job.kind === "inspect") return inspect(job.bytes);
  const bench = await open();
  switch (job.kind) {
    case "describe":
      return { backend: bench.runner.backend, device: bench.runner.device };
    case "preset":
      return drawPreset(bench.runner, job.name, job.seed, job.size, job.palette);
    case "certify":
      return certificateOf({ ...bench, checkpoint: checkpointOf(job) }, job.subject);
    case "mockup":
      return drawMockup({ ...bench, checkpoint: checkpointOf(job) }, job.request);
    case "render":
      await stream(bench, job, render);
      return null;
    case "print":
      await stream(bench, job, print, (share) => {
        job.made[0] = share;
      });
      return null;
  }
}

/** Throws `Cancelled` once nobody wants what the job makes any more. */
function checkpointOf({ cancelled }: { readonly cancelled: Int32Array }) {
  return async () => {
    if (Atomics.load(cancelled, 0) !== 0) throw new Cancelled("nobody waits for this any more");
  };
}

/** Makes a file and sends it through the job's port. */
async function stream<Request>(
  bench: Bench,
  { request, port, cancelled }: Streamed<Request>,
  make: (context: RenderContext, request: Request, sink: Sink, clock: Clock) => Promise<Made>,
  made?: (share: number) => void,
): Promise<void> {
  const checkpoint = checkpointOf({ cancelled });
  const startedAt = Date.now();
  const post = (message: RenderMessage, transfer: ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);
  const room = createRoom(port);
  const sink: Sink = {
    head: (head) => post({ kind: "head", head, startedAt }),
    async send(bytes) {
      const whole = movable(bytes);
      const size = whole.byteLength;
      post({ kind: "bytes", bytes: whole }, [whole.buffer as ArrayBuffer]);
      await room.take(size);
      await checkpoint();
    },
    ...(made && { made }),
  };
  try {
    await checkpoint();
    const how = await make({ ...bench, checkpoint }, request, sink, () => performance.now());
    post({ kind: "end", ...how });
  } finally {
    port.close();
  }
}

/** The bytes in memory that is theirs alone and may be moved away (Buffer's pool may not). */
function movable(bytes: Uint8Array): Uint8Array {
  const alone = bytes.byteLength === bytes.buffer.byteLength;
  return alone && !isMarkedAsUntransferable(bytes.buffer) ? bytes : new Uint8Array(bytes);
}

/** Lets the worker run ahead of its reader by `WINDOW_BYTES` and no further. */
function createRoom(port: MessagePort) {
  let underWay = 0;
  let wake: (() => void) | undefined;
  port.on("message", (message: ReaderMessage) => {
    underWay = message === "leave" ? 0 : underWay - message.taken;
    wake?.();
  });
  port.on("close", () => {
    underWay = 0;
    wake?.();
  });
  return {
    async take(bytes: number): Promise<void> {
      underWay += bytes;
      // Messages are only seen between turns of the event loop.
      await setImmediate();
      while (underWay > WINDOW_BYTES) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
