/**
 * The bounded job queue of the threads: start-time fair queueing by owner (Goyal, Vin, Cheng 1996).
 * The job with the smallest start tag is next, and an owner is charged for the time that a job takes
 * beyond its estimate. Long jobs leave one place to short ones, and background jobs to all others while these come.
 * When jobs hold all places for long, owners with no running job and no more than their share use reserve threads.
 */
import { Overloaded } from "../errors.ts";
import { type CostlyJob, createStartTags, type TaggedJob } from "./start-tags.ts";
import { lastOfHeaviest, type SplitPosition, type Ticket } from "./ticket.ts";

/** The threads that a job runs in: regular or reserve threads. */
export type ThreadClass = "regular" | "reserve";

export interface Queue {
  /**
   * Runs a job when its turn comes. Throws `Overloaded` if the queue is closed, or if it is full and
   * no other owner has more jobs in it; otherwise that owner's last job is rejected instead. Throws
   * the signal's reason if it aborts while the job waits.
   */
  run<Result>(job: (threadClass: ThreadClass) => Promise<Result>, ticket: Ticket): Promise<Result>;
  /**
   * Starts a job at once if there is an idle place. Otherwise returns null.
   */
  runIfIdle<Result>(
    job: (threadClass: ThreadClass) => Promise<Result>,
    ticket: Pick<Ticket, "owner" | "cost">,
  ): Promise<Result> | null;
  /** Whether there is an idle place: a free one, while no job waits. */
  hasIdlePlace(): boolean;
  /**
   * Registers a split render until the returned function is called: `close` waits for it. Those
   * in excess of the number of places each count as a waiting job.
   */
  registerSplitRender(): () => void;
  /**
   * Reserves a slot for a job of this owner. Throws `Overloaded` if the job would be rejected, given the slots that
   * are reserved. Returns a function to call when the job is run or abandoned.
   */
  reserveSlot(owner: string): () => void;
  progress(): Progress;
  /** Rejects new jobs; resolves when the running and waiting ones have ended, or after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

export interface Progress {
  /** Numbers of jobs. */
  readonly running: number;
  readonly waiting: number;
  /** Milliseconds for which jobs have waited but none has started or ended; 0 if none waits. */
  readonly stalledMs: number;
}

/** Cost of a long job: more than a picture of 4096² pixels, the largest that is not streamed. */
const LONG_COST = 17;

/**
 * Milliseconds for which a job has waited, and the jobs that block it have run, before it may use a
 * reserve thread. If places are freed more often its turn comes soon enough.
 */
const RESERVE_DELAY_MS = 100;

/** Milliseconds after the start of another job until background jobs may take all places. */
const QUIET_MS = 1000;

/** Reserve threads: each runs another owner's job, and all but one a small one. */
export const RESERVE_THREADS = 3;

/** Cost of a small job, as nearly all tiles and previews are. */
const SMALL_COST = 5;

/** Cost by which a start tag may exceed the virtual time in a reserve thread: three seconds. */
const RESERVE_LEAD = 30;

interface QueuedJob extends TaggedJob {
  readonly position: SplitPosition | undefined;
  readonly isBackground: boolean | undefined;
  readonly sinceMs: number;
  start(running: RunningJob): void;
  refuse(error: unknown): void;
}

interface RunningJob extends CostlyJob {
  readonly threadClass: ThreadClass;
  readonly isBackground: boolean;
  readonly beganMs: number;
}

export interface QueueTimes {
  readonly reserveDelayMs?: number;
  /** Returns milliseconds since some moment. */
  readonly clock?: () => number;
}

/** Creates a queue that runs `width` jobs at once, while `length` more may wait. */
export function createQueue(
  width: number,
  length: number,
  { reserveDelayMs = RESERVE_DELAY_MS, clock = () => performance.now() }: QueueTimes = {},
): Queue {
  /** Most places of long jobs, and of background jobs while others come. */
  const maxLong = Math.max(1, width - 1);
  /** In order of arrival. */
  const waiting: QueuedJob[] = [];
  const tags = createStartTags();
  const reservedSlots = new Set<object>();
  const running = new Set<RunningJob>();
  /** Jobs in regular places, and the long and the background ones of these. */
  let regularCount = 0;
  let longCount = 0;
  let backgroundCount = 0;
  let splitRenders = 0;
  let closed = false;
  let idle: (() => void) | undefined;
  /** Polls for jobs that may use a reserve thread, while any wait. */
  let watch: NodeJS.Timeout | undefined;
  /** When a job that someone waits for last started. */
  let busyMs = Number.NEGATIVE_INFINITY;
  /** When a job last started or ended, or became the only one that waits. */
  let progressMs = clock();

  /** Whether the first job of a split render must wait for its owner's later ones. */
  const isBehind = ({ owner, position, isBackground }: Omit<Ticket, "signal">) =>
    position === "first" &&
    waiting.some(
      (one) => one.position === "later" && one.owner === owner && one.isBackground === isBackground,
    );
  const mayRun = (one: Omit<Ticket, "signal">) =>
    regularCount < width &&
    (one.cost < LONG_COST || longCount < maxLong) &&
    (!one.isBackground || backgroundCount < maxLong || clock() - busyMs >= QUIET_MS) &&
    !isBehind(one);
  /**
   * Returns a predicate for the jobs that may use a reserve thread now: overdue ones of owners with
   * no running job and no more than their share, while no place is freed.
   */
  const reserveRule = (): ((one: QueuedJob) => boolean) => {
    const now = clock();
    const all = [...running];
    const isFull = regularCount >= width;
    const blocking = all.filter(
      ({ threadClass, cost }) => threadClass === "regular" && (isFull || cost >= LONG_COST),
    );
    const reserve = all.filter(({ threadClass }) => threadClass === "reserve");
    const isOpen =
      reserve.length < RESERVE_THREADS &&
      blocking.every(({ beganMs }) => now - beganMs >= reserveDelayMs);
    const onlySmall = reserve.some(({ cost }) => cost > SMALL_COST);
    const busy = new Set(all.map(({ owner }) => owner));
    return (one) =>
      isOpen &&
      (one.cost <= SMALL_COST || !onlySmall) &&
      now - one.sinceMs >= reserveDelayMs &&
      !busy.has(one.owner) &&
      tags.of(one) <= tags.now() + RESERVE_LEAD &&
      (isFull || !one.isBackground) &&
      !isBehind(one);
  };
  const canBeRefused = () => waiting.filter(({ position }) => position !== "later");
  const taken = () => canBeRefused().length + Math.max(0, splitRenders - width);

  const count = ({ threadClass, cost, isBackground }: RunningJob, change: 1 | -1) => {
    if (threadClass === "reserve") return;
    regularCount += change;
    if (cost >= LONG_COST) longCount += change;
    if (isBackground) backgroundCount += change;
  };
  type BegunJob = TaggedJob & Pick<Ticket, "isBackground">;
  const begin = (job: BegunJob, threadClass: ThreadClass): RunningJob => {
    tags.begin(job);
    const { owner, cost, isBackground = false } = job;
    const started = { owner, cost, threadClass, isBackground, beganMs: clock() };
    running.add(started);
    progressMs = started.beganMs;
    if (!isBackground && cost > 0) busyMs = started.beganMs;
    count(started, 1);
    return started;
  };
  const end = (job: RunningJob) => {
    running.delete(job);
    progressMs = clock();
    count(job, -1);
    tags.end(job, clock() - job.beganMs);
    startNext();
    resetIfIdle();
  };

  /** Returns the waiting job with the smallest start tag for which `may` holds. */
  const nextOf = (may: (one: QueuedJob) => boolean) => {
    let next: QueuedJob | undefined;
    for (const one of waiting) {
      if (may(one) && (next === undefined || tags.of(one) < tags.of(next))) next = one;
    }
    return next;
  };
  /** Starts all jobs that may run, in the order of their start tags. */
  const startNext = () => {
    for (;;) {
      const regular = nextOf(mayRun);
      const next = regular ?? nextOf(reserveRule());
      if (next === undefined) return;
      leave(next);
      next.start(begin(next, regular ? "regular" : "reserve"));
    }
  };

  /** Resets the virtual time when no job runs. */
  const resetIfIdle = () => {
    if (running.size > 0) return;
    tags.reset();
    if (splitRenders === 0) idle?.();
  };

  const leave = (one: QueuedJob) => {
    waiting.splice(waiting.indexOf(one), 1);
    if (waiting.length > 0) return;
    clearInterval(watch);
    watch = undefined;
  };

  const lastOfHeaviestOwner = (owner: string) => lastOfHeaviest(canBeRefused(), owner);

  /** Rejects a waiting job in favour of one more of this owner. Throws `Overloaded` if there is none to reject. */
  const evictFor = (owner: string) => {
    const last = lastOfHeaviestOwner(owner);
    const full = new Overloaded(waiting.length);
    if (last === undefined) throw full;
    last.refuse(full);
  };

  const turn = ({ owner, cost, position, isBackground, signal }: Ticket) =>
    new Promise<RunningJob>((resolve, reject) => {
      const forget = () => signal?.removeEventListener("abort", abort);
      const refuse = (error: unknown) => {
        forget();
        leave(one);
        reject(error);
      };
      const abort = () => refuse(signal?.reason);
      const start = (started: RunningJob) => {
        forget();
        resolve(started);
      };
      const arrivedAt = tags.now();
      const sinceMs = clock();
      const one = { owner, cost, position, isBackground, arrivedAt, sinceMs, start, refuse };
      signal?.addEventListener("abort", abort, { once: true });
      if (waiting.length === 0) progressMs = clock();
      waiting.push(one);
      watch ??= setInterval(startNext, reserveDelayMs / 2).unref();
    });

  const hasIdlePlace = () => !closed && waiting.length === 0 && regularCount < width;
  const perform = async <Result>(
    job: (threadClass: ThreadClass) => Promise<Result>,
    started: RunningJob,
  ) => {
    try {
      return await job(started.threadClass);
    } finally {
      end(started);
    }
  };

  return {
    hasIdlePlace,
    runIfIdle: (job, { owner, cost }) =>
      hasIdlePlace()
        ? perform(job, begin({ owner, cost, arrivedAt: tags.now() }, "regular"))
        : null,
    async run(job, ticket) {
      const { owner, cost, position, isBackground, signal } = ticket;
      signal?.throwIfAborted();
      const isAdmitted = position === "later";
      if (closed && !isAdmitted) throw new Overloaded(waiting.length);
      let started: RunningJob;
      if (mayRun(ticket))
        started = begin({ owner, cost, isBackground, arrivedAt: tags.now() }, "regular");
      else {
        if (!isAdmitted && taken() >= length) evictFor(owner);
        started = await turn(ticket);
      }
      return perform(job, started);
    },
    registerSplitRender() {
      splitRenders++;
      return () => {
        splitRenders--;
        resetIfIdle();
      };
    },
    reserveSlot(owner) {
      const free = width - regularCount + length - taken();
      if (closed || (reservedSlots.size >= free && lastOfHeaviestOwner(owner) === undefined)) {
        throw new Overloaded(waiting.length);
      }
      const job = {};
      reservedSlots.add(job);
      return () => reservedSlots.delete(job);
    },
    progress: () => ({
      running: running.size,
      waiting: waiting.length,
      stalledMs: waiting.length === 0 ? 0 : clock() - progressMs,
    }),
    async close(graceMs) {
      closed = true;
      if (running.size === 0 && splitRenders === 0) return;
      await new Promise<void>((resolve) => {
        idle = resolve;
        setTimeout(resolve, graceMs).unref();
      });
    },
  };
}
