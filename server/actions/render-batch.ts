/** The job that renders batches. */
import { setTimeout as delay } from "node:timers/promises";
import PQueue from "p-queue";
import {
  type BatchOutcome,
  type BatchRun,
  type BatchSubject,
  type Job,
  Superseded,
} from "../../db/index.ts";
import { formatFacts, Overloaded } from "../../engine/index.ts";
import { manifestUrl } from "./batch-fields.ts";
import { digestOf, planItem } from "./batch-pictures.ts";
import { type Failure, failureOf } from "./failures.ts";
import { INTERNAL_ERROR_MESSAGE, isRetryable, MAX_FAILURES } from "./job-failure.ts";
import type { JobResult } from "./log.ts";
import { goneIfSourceMissing } from "./render-links.ts";
import {
  createTimeLimit,
  type RenderPlan,
  RenderTimeout,
  renderPicture,
  retryUnreadable,
} from "./renders.ts";
import type { Services } from "./services.ts";
import { watchRun } from "./watch-run.ts";

type RequiredServices = Pick<
  Services,
  "db" | "engine" | "sources" | "renders" | "renderTimeoutMs" | "publicUrl"
>;

/** Time after which a run begins no more items and requests the next one: none is long. */
const RUN_MS = 60_000;

/** Longest time for one item, and for its wait before, unless a render may take longer. */
const ITEM_MS = 10 * 60_000;

/** Items whose outcomes are recorded while others are rendered: each takes a connection that requests need, too. */
const SETTLING = 2;

/** Items that are read at once. */
const PAGE = 50;

/** Wait before another try while the engine's queue is full. */
const OVERLOADED_MS = 1000;

/** Name of an account's batches as an owner in the engine's queue: its own requests do not wait for them. */
const batchOwner = (accountId: number) => `batch ${accountId}`;

export interface BatchLimits {
  readonly queue: BatchQueue;
  /** Milliseconds after which a run begins no more items. Default: a minute. */
  readonly runMs?: number | undefined;
}

/** Limits the items that the process renders at once. */
export interface BatchQueue {
  /** Items at once; it changes with the threads. */
  readonly concurrency: number;
  add<Result>(work: () => Promise<Result>): Promise<Result>;
}

/**
 * Returns the queue of a process's items.
 * @param threads returns their number now
 * @param spare threads that are left to other work, if there are more
 */
export function createBatchQueue(threads: () => number, spare: number): BatchQueue {
  const concurrencyNow = () => Math.max(1, threads() - spare);
  const queue = new PQueue({ concurrency: concurrencyNow() });
  return {
    get concurrency() {
      return concurrencyNow();
    },
    add(work) {
      queue.concurrency = concurrencyNow();
      return queue.add(work);
    },
  };
}

/**
 * Renders the items of the job's batch that have neither a picture nor an error, for about a minute; a further job
 * goes on, or the batch is finished. An error of the service fails an item after several tries. Skips a batch that has ended
 * or was deleted. Returns the outcome for the log.
 */
export async function renderBatch(
  services: RequiredServices,
  job: Job<"render_batch">,
  { queue, runMs = RUN_MS }: BatchLimits,
): Promise<JobResult | null> {
  const { batches } = services.db;
  const begun = await batches.begin(job.data.batch_id);
  if (!begun) return null;
  const { batch, run } = begun;
  const about = { account_id: batch.account_id };
  const watch = watchRun(() => batches.requireRun(run), job.signal);
  try {
    const faults = await renderItems(services, run, { queue, runMs, signal: watch.signal });
    const [next] = await batches.waiting(run, 0, 1);
    if (!next) await batches.finish(run, manifestUrl(services.publicUrl, batch.id));
    // Logged, and the job is retried.
    if (faults.length > 0) throw faults[0];
    if (next) await job.database.batches.requestNext(batch.id, batch.account_id);
    return { ...about, status: next ? "continued" : "done" };
  } catch (error) {
    const thrown = watch.superseded ?? error;
    // The batch was taken over, cancelled or deleted.
    if (thrown instanceof Superseded) return { ...about, status: "superseded" };
    throw thrown;
  } finally {
    watch.end();
  }
}

interface Rendering {
  readonly queue: BatchQueue;
  readonly runMs: number;
  readonly signal: AbortSignal;
}

/**
 * Renders items that wait, while the outcomes of others are recorded. Returns the errors of the service.
 */
async function renderItems(
  services: RequiredServices,
  run: BatchRun,
  { queue, runMs, signal: caller }: Rendering,
): Promise<unknown[]> {
  const faults: unknown[] = [];
  const stop = new AbortController();
  const signal = AbortSignal.any([caller, stop.signal]);
  const items = waitingItems(services, run, runMs, signal);
  const workers: Promise<void>[] = [];
  const work = async () => {
    for await (const item of items) {
      startWorkers();
      const fault = await renderItem(services, run, item, queue, signal);
      if (fault !== null) faults.push(fault);
    }
  };
  /** Starts as many as there may be now; none ends before the items do. */
  const startWorkers = () => {
    while (workers.length < queue.concurrency + SETTLING) {
      workers.push(work().catch((error) => stop.abort(error)));
    }
  };
  startWorkers();
  for (const worker of workers) await worker;
  stop.signal.throwIfAborted();
  return faults;
}

/** Reads the items that wait, until the time of the run is over. */
async function* waitingItems(
  { db: { batches } }: RequiredServices,
  run: BatchRun,
  runMs: number,
  signal: AbortSignal,
): AsyncGenerator<BatchSubject> {
  const end = performance.now() + runMs;
  for (let from = 0; ; ) {
    const found = await batches.waiting(run, from, PAGE);
    for (const item of found) {
      signal.throwIfAborted();
      yield item;
      // At least one, so that every run makes progress.
      if (performance.now() >= end) return;
      from = item.index + 1;
    }
    if (found.length < PAGE) return;
  }
}

/** Renders an item and records its outcome. Returns an error of the service; null for all others. */
async function renderItem(
  services: RequiredServices,
  run: BatchRun,
  item: BatchSubject,
  queue: BatchQueue,
  signal: AbortSignal,
): Promise<unknown> {
  const { batches } = services.db;
  const { index } = item;
  let attempts = 0;
  try {
    const outcome = await queue.add(async () => {
      signal.throwIfAborted();
      // Not before its turn: what waits when its process is killed is not to blame.
      attempts = await batches.beginItem(run, index);
      // The last attempts may have crashed their process.
      if (attempts > MAX_FAILURES) throw new Error(INTERNAL_ERROR_MESSAGE);
      return pictureOf(services, item, signal);
    });
    await batches.settleItem(run, index, outcome);
    return null;
  } catch (error) {
    if (error instanceof Superseded) throw error;
    if (isRetryable(error, signal)) {
      if (attempts > 0) await batches.releaseItem(run, index);
      throw error;
    }
    const isLast = attempts >= MAX_FAILURES;
    const failure = failureOf(error);
    const isInternal = failure.code === "internal";
    const isFault = isInternal || failure.code === "unavailable";
    if (!isLast && (isFault || error instanceof RenderTimeout)) return isFault ? error : null;
    await batches.settleItem(run, index, { error: itemErrorOf(failure) });
    return isFault ? error : null;
  }
}

function itemErrorOf({ code, detail, issues }: Failure) {
  return {
    code,
    detail: code === "internal" ? INTERNAL_ERROR_MESSAGE : detail,
    ...(issues.length > 0 && { errors: issues }),
  };
}

/** Renders an item's picture through the cache, and returns what is recorded of it. */
async function pictureOf(
  services: RequiredServices,
  item: BatchSubject,
  caller: AbortSignal,
): Promise<BatchOutcome> {
  const plan = planItem(services, item);
  const { length, sha256 } = await retryUnreadable(() =>
    renderWhenPossible(services, plan, caller),
  );
  const { fingerprint, size, fields } = plan;
  const { mediaType } = formatFacts[fields.format];
  return { fingerprint, sha256, bytes: length, media_type: mediaType, ...size };
}

/** Renders a picture as soon as the engine's queue has a place. Throws Overloaded if none is free for long. */
async function renderWhenPossible(
  services: RequiredServices,
  plan: RenderPlan,
  caller: AbortSignal,
): Promise<{ length: number; sha256: string }> {
  const itemMs = Math.max(ITEM_MS, services.renderTimeoutMs);
  const end = performance.now() + itemMs;
  for (;;) {
    // Of each try: the wait for a place is no fault of the item.
    const { signal, lift } = createTimeLimit(itemMs, caller);
    try {
      const rendering = renderPicture(services, plan, signal, batchOwner(plan.accountId));
      return await digestOf(await goneIfSourceMissing(rendering));
    } catch (error) {
      if (!(error instanceof Overloaded) || performance.now() >= end) throw error;
    } finally {
      lift();
    }
    await delay(OVERLOADED_MS, undefined, { signal: caller });
  }
}
