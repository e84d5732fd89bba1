/** The engine: jobs wait in a bounded queue and run in threads or codec processes. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { MessagePort } from "node:worker_threads";
import { encoders } from "../encoders/index.ts";
import { checkMockup } from "../mockups/check-mockup.ts";
import { createMapFiles } from "../mockups/map-files.ts";
import { dividePrint } from "../print/print.ts";
import type { PrintRequest, RenderRequest, SourceBytes } from "../recipe/index.ts";
import type { HelpTask } from "../render/help.ts";
import { type DividedPicture, divideRender } from "../render/strip.ts";
import type { Engine, EngineOptions } from "../types.ts";
import { versionOf } from "../version.ts";
import { createCodecPool } from "./codec/codec-pool.ts";
import type { Job } from "./job.ts";
import { estimateCost, INSPECTION_COST } from "./job-cost.ts";
import { collectPicture, startParallelRender } from "./parallel-render.ts";
import { createQueue } from "./queue.ts";
import { copyShared } from "./shared-files.ts";
import { startStreamedRender } from "./streamed-render.ts";
import { createThreads, ThreadLost } from "./threads.ts";
import type { SplitPosition } from "./ticket.ts";

/** Sources that may be or wait to be prepared. */
const MAX_UNPREPARED = 4;

/** The owner of jobs without one. */
const NO_OWNER = "";

interface Caller {
  readonly signal?: AbortSignal | undefined;
  readonly owner?: string | undefined;
  readonly position?: SplitPosition;
  readonly isBackground?: boolean;
  /** Called when a thread takes the job. */
  readonly onStart?: () => void;
}

/**
 * Starts the threads and opens their backends. Throws `BackendUnavailable`.
 * @param worker module that the threads run
 */
export async function createEngine(
  options: EngineOptions,
  worker = new URL("./worker.ts", import.meta.url),
): Promise<Engine> {
  const codecs = createCodecPool(options.codec);
  const pool = createThreads(options, worker, codecs);
  const maps = createMapFiles(options.mockupMaps);
  const queue = createQueue(options.threads, options.queueMax);

  /** Runs a job in a thread when its turn comes. */
  const runOnce = <J extends Job>(
    job: J,
    { signal, owner = NO_OWNER, position, isBackground, onStart }: Caller,
    transferList?: readonly MessagePort[],
  ) => {
    const cost = estimateCost(job);
    return queue.run(
      (threadClass) => {
        onStart?.();
        const help = queue.hasIdlePlace()
          ? (task: HelpTask, signal: AbortSignal) => helpWith(task, signal, owner)
          : undefined;
        return pool.run(job, {
          threadClass,
          cost,
          signal,
          help,
          ...(transferList && { transferList }),
        });
      },
      { owner, cost, position, isBackground, signal },
    );
  };
  /** Has an idle thread work on a task. Resolves with nothing finished where none is idle, or where it fails. */
  const helpWith = async (task: HelpTask, signal: AbortSignal, owner: string) => {
    const job = { kind: "help", task } as const;
    const cost = estimateCost(job);
    const helped = queue.runIfIdle((threadClass) => pool.run(job, { threadClass, cost, signal }), {
      owner,
      cost,
    });
    return (await helped?.catch(() => undefined)) ?? new Map();
  };
  /** Retries once if a thread is lost: another job may have caused it. */
  const retryLostThread = <Result>(work: () => Promise<Result>) =>
    work().catch((error) => {
      if (error instanceof ThreadLost) return work();
      throw error;
    });
  const run = <J extends Job>(job: J, caller: Caller) =>
    retryLostThread(() => runOnce(job, caller));

  /** Renders the strips of a request in several threads. */
  const renderInParallel = (
    request: RenderRequest | PrintRequest,
    { strips, format }: DividedPicture,
    signal: AbortSignal | undefined,
    owner: string | undefined,
  ) => {
    let position: SplitPosition = "first";
    return startParallelRender({
      strips,
      format,
      ahead: options.threads + 1,
      signal,
      registerSplitRender: queue.registerSplitRender,
      run(strip, wanted, onStripStart) {
        return run(
          { kind: "strip", request, strip },
          {
            signal: wanted,
            owner,
            position,
            isBackground: "print" in request,
            onStart() {
              position = "later";
              onStripStart();
            },
          },
        );
      },
    });
  };

  /**
   * Prepares sources in the background one job at a time, so that uploads alone cannot fill the threads, and none while
   * jobs wait. Errors are ignored: a render of the source reports them.
   */
  const prepareSources = async () => {
    for (let next = unprepared[0]; next !== undefined; next = unprepared[0]) {
      const { source, owner, isBegun } = next;
      next.isBegun = true;
      // Later jobs find the levels in the store, or give up.
      const bytes = isBegun ? new Uint8Array(0) : source.bytes;
      const job = { kind: "prepare", source: { ...source, bytes }, isBegun } as const;
      const isDone = await runOnce(job, { owner }).catch(() => true);
      if (queue.progress().waiting > 0) unprepared.length = 0;
      else if (isDone) unprepared.splice(unprepared.indexOf(next), 1);
    }
  };
  /** Sources to prepare, the latest first. */
  const unprepared: {
    readonly source: SourceBytes;
    readonly owner: string | undefined;
    isBegun: boolean;
  }[] = [];

  /** Resolves with the path of a map. No caller cancels it: others may wait for it, too. */
  const mapOf = (product: string, side: number | null, owner: string | undefined) =>
    maps.pathOf(side === null ? product : `${product}-${side}`, (path) =>
      run({ kind: "map", product, side, path }, { owner }),
    );

  const { backend, device } = await run({ kind: "describe" }, {}).catch(async (error) => {
    await Promise.all([codecs.close(), pool.close()]);
    throw error;
  });

  return {
    backend,
    device,
    threads: options.threads,
    version: versionOf(backend),
    progress: queue.progress,
    lostThreads: pool.lost,
    probe: async () => {
      await run({ kind: "describe" }, {});
    },
    reserveSlot: (owner = NO_OWNER) => queue.reserveSlot(owner),
    async render(request, signal, owner) {
      const divided = divideRender(encoders, request);
      if (divided !== null) {
        const { rendering } = await renderInParallel(request, divided, signal, owner);
        return collectPicture(rendering);
      }
      const submittedAt = performance.now();
      let queued = 0;
      const onStart = () => {
        queued = performance.now() - submittedAt;
      };
      const { file, ...picture } = await run(
        { kind: "render", request },
        { signal, owner, onStart },
      );
      const bytes = "memory" in file ? copyShared(file) : file;
      return { ...picture, bytes, timings: { queue: queued, ...picture.timings } };
    },
    async renderStream(request, signal, owner) {
      const divided = divideRender(encoders, request);
      if (divided !== null) {
        return (await renderInParallel(request, divided, signal, owner)).rendering;
      }
      const { rendering } = await retryLostThread(() =>
        startStreamedRender(request, signal, (job, wanted) =>
          runOnce({ kind: "stream", ...job }, { signal: wanted, owner }, [job.port]),
        ),
      );
      return rendering;
    },
    async print(request, signal, owner) {
      const divided = dividePrint(encoders, request);
      if (divided !== null) {
        const { rendering, ...others } = await renderInParallel(request, divided, signal, owner);
        return { ...rendering, ...others };
      }
      const progress = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
      const { rendering, patch } = await retryLostThread(() =>
        startStreamedRender(request, signal, (job, wanted) =>
          runOnce(
            { kind: "print", progress, ...job },
            { signal: wanted, owner, isBackground: true },
            [job.port],
          ),
        ),
      );
      return { ...rendering, patch, progress: () => progress[0] };
    },
    drawPreset: (name, seed, size, palette = null, signal, owner) =>
      run({ kind: "preset", name, seed, size, palette }, { signal, owner }),
    prepare(source, owner) {
      if (unprepared.length >= MAX_UNPREPARED || queue.progress().waiting > 0) return;
      if (unprepared.unshift({ source, owner, isBegun: false }) === 1) void prepareSources();
    },
    encodeLevel: (request, signal, owner) => run({ kind: "level", ...request }, { signal, owner }),
    sourceColours: (request, signal, owner) =>
      run({ kind: "colours", ...request }, { signal, owner }),
    ideas: (request, signal, owner) => run({ kind: "ideas", ...request }, { signal, owner }),
    inks: (request, signal, owner) => run({ kind: "inks", ...request }, { signal, owner }),
    separate: (request, signal, owner) =>
      run({ kind: "separation", ...request }, { signal, owner }),
    drawVector: (request, signal, owner) => run({ kind: "vector", ...request }, { signal, owner }),
    certify: (subject, signal, owner) => run({ kind: "certify", subject }, { signal, owner }),
    async drawMockup(request, signal, owner) {
      const { id, print, cell } = checkMockup(request);
      const map = await unlessAborted(mapOf(id, null, owner), signal);
      return run({ kind: "mockup", request, product: { print, cell }, map }, { signal, owner });
    },
    async packedMap(product, side, signal, owner) {
      return readFile(await unlessAborted(mapOf(product, side, owner), signal));
    },
    inspect: (bytes, signal, owner = NO_OWNER) =>
      queue.run(
        async () => {
          const { result, output } = await codecs.run({ kind: "inspect" }, bytes, signal);
          return { ...result, bytes: output.byteLength === 0 ? bytes : output };
        },
        { owner, cost: INSPECTION_COST, signal },
      ),
    drawContactSheet: (pictures, signal, owner = NO_OWNER) =>
      queue.run(
        async () => {
          const lengths = pictures.map((picture) => picture?.byteLength ?? null);
          const input = Buffer.concat(pictures.filter((picture) => picture !== null));
          const { output } = await codecs.run({ kind: "contact_sheet", lengths }, input, signal);
          return output;
        },
        { owner, cost: INSPECTION_COST, signal },
      ),
    async close(graceMs) {
      await queue.close(graceMs);
      await codecs.close();
      await pool.close();
      await maps.close();
    },
  };
}

/** Settles like `promise`, or rejects with the reason of `signal`, whichever comes first. */
async function unlessAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  // Avoids an unhandled rejection after an abort.
  promise.catch(() => undefined);
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  const listening = new AbortController();
  const aborted = once(signal, "abort", { signal: listening.signal }).then(() => {
    throw signal.reason;
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    aborted.catch(() => undefined);
    listening.abort();
  }
}
