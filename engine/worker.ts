/** Piscina's side in the thread: one backend, one set of source pictures, one job at a time. */
import { setImmediate } from "node:timers/promises";
import { isMarkedAsUntransferable, type MessagePort } from "node:worker_threads";
import { transferableSymbol, valueSymbol, workerData } from "piscina";
import { DeviceLost } from "./backend.ts";
import { keepBench } from "./bench-keeper.ts";
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
import { Cancelled, type RenderContext, type Workbench } from "./render/context.ts";
import { drawPreset } from "./render/preset.ts";
import { type Made, render, type Sink } from "./render/render.ts";
import type { Clock } from "./render/stopwatch.ts";
import { type MadeStrip, renderStrip } from "./render/strip.ts";
import { certificateOf } from "./validate.ts";

const keeper = keepBench(workerData as WorkerSetup);
giveWay();

export default async function work(job: Job): Promise<Outcome<Results[Job["kind"]]>> {
  try {
    const result = job.kind === "inspect" ? await inspect(job.bytes) : await perform(job);
    return job.kind === "strip" ? moved(result as Results["strip"]) : { ok: true, result };
  } catch (error) {
    return { ok: false, error: toPlain(error) };
  }
}

type BenchJob = Exclude<Job, { readonly kind: "inspect" }>;

async function perform(job: BenchJob): Promise<Results[BenchJob["kind"]]> {
  switch (job.kind) {
    case "render":
      return stream(job, render);
    case "print":
      return stream(job, print, (share) => {
        job.made[0] = share;
      });
    default:
      return keeper.use((bench) => performOn(bench, job));
  }
}

type WholeJob = Exclude<BenchJob, { readonly kind: "render" | "print" }>;

async function performOn(bench: Workbench, job: WholeJob): Promise<Results[WholeJob["kind"]]> {
  switch (job.kind) {
    case "describe":
      return { backend: bench.runner.backend, device: bench.runner.device };
    case "preset":
      return drawPreset(bench.runner, job.name, job.seed, job.size, job.palette);
    case "certify":
      return certificateOf({ ...bench, checkpoint: checkpointOf(job) }, job.subject);
    case "mockup":
      return drawMockup({ ...bench, checkpoint: checkpointOf(job) }, job.request);
    case "strip": {
      const context = { ...bench, checkpoint: checkpointOf(job) };
      return renderStrip(context, job.request, job.strip, () => performance.now());
    }
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
  { request, port, cancelled }: Streamed<Request>,
  make: (context: RenderContext, request: Request, sink: Sink, clock: Clock) => Promise<Made>,
  made?: (share: number) => void,
): Promise<null> {
  const checkpoint = checkpointOf({ cancelled });
  const startedAt = Date.now();
  const post = (message: RenderMessage, transfer: ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);
  const room = createRoom(port);
  let hasBegun = false;
  const sink: Sink = {
    head(head) {
      hasBegun = true;
      post({ kind: "head", head, startedAt });
    },
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
    const how = await keeper.use((bench) =>
      make({ ...bench, checkpoint }, request, sink, () => performance.now()).catch((error) => {
        // What has been told of the file holds; it cannot be begun anew.
        const isOver = hasBegun && error instanceof DeviceLost;
        throw isOver
          ? new Error("the GPU was lost in the middle of a file", { cause: error })
          : error;
      }),
    );
    post({ kind: "end", ...how });
    return null;
  } finally {
    port.close();
  }
}

/** A strip as Piscina takes it to move its bytes away in place of copying them. */
function moved(strip: MadeStrip): Outcome<MadeStrip> {
  const result = { ...strip, pieces: strip.pieces.map(movable) };
  const outcome: Outcome<MadeStrip> = { ok: true, result };
  return Object.assign(outcome, {
    [transferableSymbol]: result.pieces.map(({ buffer }) => buffer),
    [valueSymbol]: outcome,
  });
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
