/** A thread's job handler: one backend, one cache of sources, one job at a time. */
import { hash } from "node:crypto";
import { isMarkedAsUntransferable } from "node:worker_threads";
import { move, transferableSymbol, valueSymbol, workerData } from "piscina";
import { certificateOf } from "../certificate/certify-subject.ts";
import { concatBytes } from "../encoders/encoder.ts";
import { toPlain } from "../errors.ts";
import { makeHalfOctaves, makeOctaves } from "../image/make-octaves.ts";
import { DeviceLost } from "../kernel-runner.ts";
import { lowerThreadPriority } from "../lower-thread-priority.ts";
import { drawMockup } from "../mockups/draw-mockup.ts";
import { print, printStripsPlan } from "../print/print.ts";
import type { RenderRequest } from "../recipe/index.ts";
import { Cancelled, type RenderContext } from "../render/context.ts";
import {
  type Finished,
  type HelpTask,
  type ItemResult,
  isTaken,
  takeItems,
} from "../render/help.ts";
import { ideasFor } from "../render/ideas.ts";
import { inksOf } from "../render/inks.ts";
import type { PictureHeader } from "../render/picture.ts";
import { drawPreset } from "../render/preset.ts";
import { type RenderResult, render, type Sink } from "../render/render.ts";
import { coarseSource, sourceColours } from "../render/source-colours.ts";
import type { Clock } from "../render/stopwatch.ts";
import { type RenderedStrip, renderStrip, stripsPlan } from "../render/strip.ts";
import { helpToSample } from "../render/tile.ts";
import { drawVector } from "../vector/vector.ts";
import { withDeviceRecovery } from "./device-recovery.ts";
import { encodeLevel } from "./encode-level.ts";
import { encodeSeparation } from "./encode-separation.ts";
import type { Job, Outcome, RenderMessage, Results, StreamJob, Task, WorkerSetup } from "./job.ts";
import { jobServices, shareBlock } from "./job-services.ts";
import { createSendWindow } from "./send-window.ts";
import { createSharedFiles, viewOf } from "./shared-files.ts";

const setup: WorkerSetup = workerData;
const device = withDeviceRecovery(setup);
lowerThreadPriority(setup.niceness);
if (setup.block !== null) shareBlock(setup.block);

export default async function work(
  task: Task,
): Promise<Outcome<Results[Job["kind"]]> | ReturnType<typeof move>> {
  try {
    const result = await perform(task);
    return task.job.kind === "strip" ? movingPieces(result as RenderedStrip) : { ok: true, result };
  } catch (error) {
    return { ok: false, error: toPlain(error) };
  } finally {
    task.services.close();
  }
}

/** Returns a strip whose pieces, megabytes, go to the main thread instead of being copied. */
function movingPieces(result: RenderedStrip) {
  const buffers = result.pieces.map(({ buffer }) => buffer as ArrayBuffer);
  const outcome: Outcome<RenderedStrip> = { ok: true, result };
  return move({ [transferableSymbol]: buffers, [valueSymbol]: outcome });
}

/** The part of a render's context that belongs to its job. */
type JobContext = Pick<RenderContext, "checkpoint" | "codec" | "help">;

async function perform({
  job,
  cancelled,
  services,
  levels: known,
  mayAskForHelp,
}: Task): Promise<Results[Job["kind"]]> {
  const checkpoint = checkpointOf(cancelled);
  const { codec, help } = jobServices(services, known);
  const context: JobContext = { checkpoint, codec, ...(mayAskForHelp && { help }) };
  switch (job.kind) {
    case "stream":
      return stream(context, job, cancelled, render);
    case "print":
      return stream(context, job, cancelled, print, (share) => {
        job.progress[0] = share;
      });
    case "prepare": {
      const levels = await context.codec.levels(job.source);
      await makeOctaves(levels, checkpoint);
      return makeHalfOctaves(levels, PREPARING_MS, checkpoint);
    }
    case "map": {
      const { makeMapFile } = await import("../mockups/make-map-file.ts");
      await makeMapFile(job, context.checkpoint);
      return null;
    }
    default:
      return device.use((shared) => performOn({ ...shared, ...context }, job));
  }
}

type WholeJob = Exclude<Job, { readonly kind: "prepare" | "stream" | "print" | "map" }>;

async function performOn(
  context: RenderContext,
  job: WholeJob,
): Promise<Results[WholeJob["kind"]]> {
  const { runner } = context;
  switch (job.kind) {
    case "describe":
      return { backend: runner.backend, device: runner.device };
    case "preset":
      return ownBytes(await drawPreset(context, job.name, job.seed, job.size, job.palette));
    case "certify":
      return certificateOf(context, job.subject);
    case "level":
      return ownBytes(await encodeLevel(context, job));
    case "colours":
      return sourceColours(context, job);
    case "ideas":
      return ideasFor(await coarseSource(context, job.source), job, context.checkpoint);
    case "inks":
      return inksOf(context, job);
    case "separation": {
      const separation = await encodeSeparation(context, job);
      return separation && ownBytes(separation);
    }
    case "vector": {
      const file = await drawVector(context, job);
      return file && ownBytes(file);
    }
    case "mockup":
      return ownBytes(await drawMockup(context, job));
    case "help":
      return helpWith(context, job.task);
    case "render":
      return renderWhole(context, job.request);
    case "strip": {
      const { request } = job;
      const plan =
        "print" in request ? printStripsPlan(context, request) : stripsPlan(context, request);
      const strip = await renderStrip(context, plan, job.strip, clock);
      return { ...strip, pieces: strip.pieces.map(ownBytes) };
    }
  }
}

/** Works on a task of another thread's job. */
async function helpWith(context: RenderContext, task: HelpTask): Promise<Finished> {
  const { runner, encoders, checkpoint } = context;
  // It comes too late, or its samples would differ from those of the CPU.
  if (isTaken(task.items) || (task.kind === "sample" && runner.backend === "webgpu")) {
    return new Map();
  }
  const work =
    task.kind === "sample"
      ? await helpToSample(context, task)
      : (band: number) => encoders.pngBand(task.picture, band);
  return takeItems<ItemResult>(task.items, "last", async (item) => {
    await checkpoint();
    return work(item);
  });
}

/** How long a job prepares half octaves, while others may wait for the thread. */
const PREPARING_MS = 50;

/** Returns a function that throws `Cancelled` once the job is cancelled. */
function checkpointOf(cancelled: Int32Array) {
  return async () => {
    if (Atomics.load(cancelled, 0) !== 0) throw new Cancelled("nobody waits for this any more");
  };
}

const clock: Clock = () => performance.now();

const shareFile = createSharedFiles();

/** Renders a picture into memory. */
async function renderWhole(
  context: RenderContext,
  request: RenderRequest,
): Promise<Results["render"]> {
  const pieces: Uint8Array[] = [];
  let header: PictureHeader | undefined;
  const sink: Sink = {
    head(known) {
      header = known;
    },
    async send(bytes) {
      pieces.push(bytes);
      await context.checkpoint();
    },
  };
  const { timings } = await render(context, request, sink, clock);
  const shared = shareFile(pieces);
  const bytes = shared ? viewOf(shared) : ownBytes(concatBytes(pieces));
  const file = shared ?? bytes;
  return { ...(header as PictureHeader), file, sha256: hash("sha256", bytes), timings };
}

/** Renders a file and sends it through the job's port. */
async function stream<Request>(
  context: JobContext,
  { request, port }: StreamJob<Request>,
  cancelled: Int32Array,
  make: (
    context: RenderContext,
    request: Request,
    sink: Sink,
    clock: Clock,
  ) => Promise<RenderResult>,
  progress?: (share: number) => void,
): Promise<null> {
  const { checkpoint } = context;
  const startedAt = Date.now();
  const post = (message: RenderMessage, transfer: ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);
  const window = createSendWindow(port, cancelled);
  let hasBegun = false;
  const sink: Sink = {
    head(head) {
      hasBegun = true;
      post({ kind: "head", head, startedAt });
    },
    async send(bytes) {
      const whole = ownBytes(bytes);
      const size = whole.byteLength;
      post({ kind: "bytes", bytes: whole }, [whole.buffer as ArrayBuffer]);
      await window.take(size);
      await checkpoint();
    },
    ...(progress && { progress }),
  };
  try {
    await checkpoint();
    const how = await device.use((shared) =>
      make({ ...shared, ...context }, request, sink, clock).catch((error) => {
        // The header has been sent; the file cannot be restarted.
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

/**
 * Returns the bytes in an `ArrayBuffer` of their own, which can be transferred, unlike Buffer's pool. A message with a part
 * of a buffer has all of it.
 */
function ownBytes(bytes: Uint8Array): Uint8Array {
  const alone = bytes.byteLength === bytes.buffer.byteLength;
  return alone && !isMarkedAsUntransferable(bytes.buffer) ? bytes : new Uint8Array(bytes);
}
