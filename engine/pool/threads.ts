/** Worker threads, whose jobs always end: by themselves, by a cancellation, or with their thread. */
import { totalmem } from "node:os";
import { setFlagsFromString } from "node:v8";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { Piscina } from "piscina";
import { DeadlineExceeded, fromPlain } from "../errors.ts";
import { NICENESS, RESERVE_NICENESS } from "../lower-thread-priority.ts";
import type { HelpTask } from "../render/help.ts";
import type { EngineOptions } from "../types.ts";
import type { CodecPool } from "./codec/codec-pool.ts";
import {
  type Job,
  type Outcome,
  type Results,
  sourceOf,
  type Task,
  type WorkerSetup,
} from "./job.ts";
import { serveJob } from "./job-services.ts";
import { RESERVE_THREADS, type ThreadClass } from "./queue.ts";
import { createSourceStore } from "./source-store.ts";

/**
 * Bytes of prepared sources that the threads share, and of what they cache besides, together. Linux refuses a block that
 * is larger than all memory, and with it the start of the service.
 */
const CACHE_BYTES = Math.min(
  512 * 1024 * 1024,
  Math.floor(Math.min(totalmem(), process.constrainedMemory() || totalmem()) / 4),
);

/**
 * MiB of a thread's heap, which needs 25 to 60; pictures are outside. A job that fills it loses its
 * thread, not the memory of the process.
 */
const HEAP_MIB = 512;

/**
 * Percent by which heaps may grow before V8 marks all that is in them, of the main thread as well, whose heap V8 would let
 * grow to four times its size. It counts the memory of pictures, too, most of which goes from one to the next.
 */
const HEAP_GROWTH = 40;

/**
 * Time limit of a job, and the addition for each megapixel of its cost. With three surface effects a
 * megapixel takes 65 ms of one core (docs/performance.md, case 15); the rest is for slow and busy
 * machines and for long chains of effects.
 */
const JOB_MS = 120_000;
const MEGAPIXEL_MS = 3000;

/**
 * Milliseconds after which a thread that has not ended a cancelled job is terminated. Jobs check for
 * cancellation every few milliseconds, occasionally after a second.
 */
const HUNG_MS = 5000;

/** Cache of a reserve thread, and milliseconds without a job after which it ends. */
const RESERVE_CACHE_BYTES = 16 * 1024 * 1024;
const RESERVE_IDLE_MS = 60_000;

/** Ends what a job still has running. Without a reason each abort would make an exception with a stack. */
const JOB_ENDED = new Error("the job has ended");

const noHelp = async (): Promise<Results["help"]> => new Map();

/** A thread ended during a job; the pool replaces it. */
export class ThreadLost extends Error {
  override readonly name = "ThreadLost";
}

interface RunOptions {
  readonly threadClass: ThreadClass;
  /** The job's megapixels, as `estimateCost` returns them. */
  readonly cost: number;
  readonly signal?: AbortSignal | undefined;
  /** Has an idle thread work on a task of this job, see `AskForHelp`; absent where no place is idle. */
  readonly help?: ((task: HelpTask, signal: AbortSignal) => Promise<Results["help"]>) | undefined;
  /** Ports in the job. */
  readonly transferList?: readonly MessagePort[];
}

export interface Threads {
  /**
   * Runs a job in a thread. Throws the job's errors, the reason of `signal`, `DeadlineExceeded`, and
   * `ThreadLost` if the thread ends.
   */
  run<J extends Job>(job: J, options: RunOptions): Promise<Results[J["kind"]]>;
  /** Returns how many threads were lost with their job. */
  lost(): number;
  /** Terminates the threads. */
  close(): Promise<void>;
}

/**
 * Starts a thread, and on demand up to `options.threads` in all, which stay, and up to `RESERVE_THREADS` reserve
 * threads: each takes 50 MB and half a second of a core.
 * @param worker module that the threads run
 * @param codecs processes that decode and encode for them
 */
export function createThreads(options: EngineOptions, worker: URL, codecs: CodecPool): Threads {
  const { backend, threads, hungMs = HUNG_MS, jobMs = JOB_MS } = options;
  // Holds for the whole process: V8 has no such limit of a thread.
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
  const sources = createSourceStore(CACHE_BYTES);
  const start = (
    minThreads: number,
    maxThreads: number,
    idleTimeout: number,
    cacheBytes: number,
    niceness: number,
  ) => {
    const setup: WorkerSetup = { backend, cacheBytes, niceness, block: sources.block };
    const pool = new Piscina({
      filename: worker.href,
      minThreads,
      maxThreads,
      idleTimeout,
      concurrentTasksPerWorker: 1,
      workerData: setup,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    });
    // A crashed thread rejects its job and is replaced; an unhandled event would end the process.
    pool.on("error", () => undefined);
    return pool;
  };
  let lost = 0;
  const pools: Readonly<Record<ThreadClass, Piscina>> = {
    regular: start(
      1,
      threads,
      Number.POSITIVE_INFINITY,
      Math.floor(CACHE_BYTES / threads),
      NICENESS,
    ),
    reserve: start(0, RESERVE_THREADS, RESERVE_IDLE_MS, RESERVE_CACHE_BYTES, RESERVE_NICENESS),
  };

  return {
    async run<J extends Job>(
      job: J,
      { threadClass, cost, signal: caller, help, transferList = [] }: RunOptions,
    ) {
      const limitMs = jobMs + MEGAPIXEL_MS * cost;
      const over = new AbortController();
      const late = setTimeout(() => over.abort(new DeadlineExceeded(limitMs)), limitMs);
      const signal = caller ? AbortSignal.any([caller, over.signal]) : over.signal;
      const { cancelled, end: forget } = createCancellation(signal);
      const kill = new AbortController();
      let hung: NodeJS.Timeout | undefined;
      const watch = () => {
        // A result that arrived while this thread was busy is read first.
        hung = setTimeout(() => setImmediate(() => kill.abort()), hungMs);
      };
      signal.addEventListener("abort", watch, { once: true });
      const { port1: ours, port2: services } = new MessageChannel();
      const used = sources.forJob();
      const source = sourceOf(job);
      const levels = source && used.known(source.sha256);
      serveJob(ours, { codecs, sources: used, help: help ?? noHelp }, signal);
      const task: Task<J> = { job, cancelled, services, levels, mayAskForHelp: help !== undefined };
      let isLost = false;
      try {
        // An abort before the listeners were added emits no event.
        signal.throwIfAborted();
        const outcome: Outcome<Results[J["kind"]]> = await pools[threadClass]
          .run(task, { transferList: [...transferList, services], signal: kill.signal })
          .catch((cause) => {
            // A job's own errors are outcomes.
            lost++;
            isLost = true;
            throw new ThreadLost("a thread was lost with its job", { cause });
          });
        if (!outcome.ok) throw fromPlain(outcome.error);
        return outcome.result;
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      } finally {
        clearTimeout(late);
        clearTimeout(hung);
        forget();
        signal.removeEventListener("abort", watch);
        // A lost thread may go on for a moment: its end of the port closes when it is gone.
        if (isLost) services.close();
        else ours.close();
        // Kills a codec process that still runs for a lost thread.
        over.abort(JOB_ENDED);
      }
    },
    lost: () => lost,
    async close() {
      await Promise.all(Object.values(pools).map((pool) => pool.destroy()));
    },
  };
}

/**
 * Carries a signal's abort to a thread, as a number over shared memory: not 0 once nobody wants the
 * result any more. Threads that wait for it are notified. `end` removes the listener and notifies them too.
 */
function createCancellation(signal: AbortSignal) {
  const cancelled = new Int32Array(new SharedArrayBuffer(4));
  const set = () => {
    Atomics.store(cancelled, 0, 1);
    Atomics.notify(cancelled, 0);
  };
  if (signal.aborted) set();
  signal.addEventListener("abort", set, { once: true });
  return {
    cancelled,
    end() {
      signal.removeEventListener("abort", set);
      Atomics.notify(cancelled, 0);
    },
  };
}
