/** Piscina's side in the server: threads behind a bounded queue. */
import type { MessagePort } from "node:worker_threads";
import { Piscina } from "piscina";
import { cancellable } from "./cancellation.ts";
import { checkDesign, checkRender } from "./check.ts";
import type { Engine, EngineOptions } from "./door.ts";
import { fromPlain } from "./errors.ts";
import type { Job, Outcome, Results, WorkerSetup } from "./job.ts";
import { checkMockup } from "./mockups/check-mockup.ts";
import { checkPrint } from "./print/check-print.ts";
import { createQueue, type Part } from "./queue.ts";
import { stripsOf } from "./render/strips.ts";
import { startRendering } from "./rendering.ts";
import { startStrips } from "./striped.ts";
import { ENGINE_VERSION } from "./version.ts";
import { workOf } from "./work.ts";

/** Bytes of decoded pictures, and as many of cuts of them, that all threads keep together. */
const CACHE_BYTES = 1024 * 1024 * 1024;

/** After so many milliseconds a thread that has not let go of a job that nobody wants is ended. */
const HUNG_MS = 60_000;

/** A thread ended, and the job that it was at with it; another one takes its place. */
class ThreadLost extends Error {
  override readonly name = "ThreadLost";
}

/** Ends a thread that goes on with a job for too long after it was cancelled. */
function watchHanging(cancelled: Int32Array, hungMs: number, kill: AbortController) {
  let since = Number.POSITIVE_INFINITY;
  const look = () => {
    if (Atomics.load(cancelled, 0) === 0) return;
    since = Math.min(since, performance.now());
    if (performance.now() - since >= hungMs) kill.abort();
  };
  return setInterval(look, Math.min(1000, hungMs / 4)).unref();
}

/** The owner of what nobody in particular asks for. */
const NOBODY = "";

interface Caller {
  readonly signal?: AbortSignal | undefined;
  readonly owner?: string | undefined;
  readonly part?: Part;
  /** Called when a thread takes the job. */
  readonly begun?: () => void;
}

/**
 * Starts the threads and opens their backends. Throws `BackendUnavailable` when the backend that
 * was asked for is not there.
 * @param worker what the threads run
 */
export async function createEngine(
  options: EngineOptions,
  worker = new URL("./worker.ts", import.meta.url),
): Promise<Engine> {
  const { threads, hungMs = HUNG_MS } = options;
  const setup: WorkerSetup = {
    backend: options.backend,
    cacheBytes: Math.floor(CACHE_BYTES / threads),
  };
  const pool = new Piscina({
    filename: worker.href,
    minThreads: threads,
    maxThreads: threads,
    idleTimeout: Number.POSITIVE_INFINITY,
    concurrentTasksPerWorker: 1,
    workerData: setup,
  });
  // A thread that breaks takes its job with it, whose caller is told, and is replaced. Unheard, the
  // event would end the process.
  pool.on("error", () => undefined);
  // Piscina's own queue is not used: it is not in order, and keeps what has been aborted.
  const queue = createQueue(threads, options.queueMax);

  const run = <J extends Job>(
    job: J,
    { signal, owner = NOBODY, part, begun }: Caller = {},
    transferList: MessagePort[] = [],
  ) =>
    queue.run(
      async () => {
        begun?.();
        const outcome: Outcome<Results[J["kind"]]> = await inThread(job, transferList);
        if (!outcome.ok) throw fromPlain(outcome.error);
        return outcome.result;
      },
      { owner, work: workOf(job), part, signal },
    );
  /** Does a job in a thread. Throws `ThreadLost` where it ends with the job, or does not let go of it. */
  const inThread = async <J extends Job>(job: J, transferList: MessagePort[]) => {
    const kill = new AbortController();
    const watch = "cancelled" in job ? watchHanging(job.cancelled, hungMs, kill) : undefined;
    try {
      return await pool.run(job, { transferList, signal: kill.signal });
    } catch (cause) {
      // What a job throws comes as an outcome.
      throw new ThreadLost("a thread was lost with its job", { cause });
    } finally {
      clearInterval(watch);
    }
  };

  /** Once more where a thread is lost: it may have been another job's fault. */
  const twice = <Result>(work: () => Promise<Result>) =>
    work().catch((error) => {
      if (error instanceof ThreadLost) return work();
      throw error;
    });

  const { backend, device } = await run({ kind: "describe" }).catch(async (error) => {
    await pool.destroy();
    throw error;
  });

  return {
    backend,
    device,
    threads,
    version: `${ENGINE_VERSION}-${backend}`,
    announce: (owner = NOBODY) => queue.announce(owner),
    async render(request, signal, owner) {
      checkDesign(request.design);
      checkRender(request.render);
      const strips = stripsOf(request.design, request.render);
      if (strips.length > 1) {
        let part: Part = "first";
        return startStrips({
          request,
          strips,
          ahead: threads + 1,
          signal,
          hold: queue.hold,
          run(job, wanted, begun) {
            const started = () => {
              part = "later";
              begun();
            };
            return twice(() =>
              run({ kind: "strip", ...job }, { signal: wanted, owner, part, begun: started }),
            );
          },
        });
      }
      const { rendering } = await twice(() =>
        startRendering(request, signal, (job) =>
          run({ kind: "render", ...job }, { signal, owner }, [job.port]),
        ),
      );
      return rendering;
    },
    async print(request, signal, owner) {
      checkDesign(request.design);
      checkPrint(request.design, request.print);
      const made = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
      const { rendering, patch } = await twice(() =>
        startRendering(request, signal, (job) =>
          run({ kind: "print", made, ...job }, { signal, owner }, [job.port]),
        ),
      );
      return { ...rendering, patch, progress: () => made[0] };
    },
    drawPreset: (name, seed, size, palette = null, owner) =>
      twice(() => run({ kind: "preset", name, seed, size, palette }, { owner })),
    certify: (subject, signal, owner) =>
      cancellable(signal, (cancelled) =>
        twice(() => run({ kind: "certify", subject, cancelled }, { signal, owner })),
      ),
    async drawMockup(request, signal, owner) {
      checkDesign(request.design);
      checkMockup(request);
      return cancellable(signal, (cancelled) =>
        twice(() => run({ kind: "mockup", request, cancelled }, { signal, owner })),
      );
    },
    inspect: (bytes, owner) => twice(() => run({ kind: "inspect", bytes }, { owner })),
    async close(graceMs) {
      await queue.close(graceMs);
      await pool.destroy();
    },
  };
}
