/** Background jobs of this process, and their log entries. */
import { SpanKind } from "@opentelemetry/api";
import { deliverWebhook } from "../actions/deliveries.ts";
import type { JobResult, Log, LogFields } from "../actions/log.ts";
import { makeExport } from "../actions/make-export.ts";
import { measure } from "../actions/measurements.ts";
import { drawMockups } from "../actions/mockups.ts";
import type { Readiness } from "../actions/readiness.ts";
import { createBatchQueue, renderBatch } from "../actions/render-batch.ts";
import { sendMail } from "../actions/send-mail.ts";
import type { FailedJob, Job, Jobs, QueueName, Services } from "../actions/services.ts";
import { inSpan } from "../actions/spans.ts";

/** A hanging receiver occupies at most two slots. */
const DELIVERIES = { total: 8, perGroup: 2 };

/** One at a time for each account, so that no account delays others. */
const EXPORTS = { total: 4, perGroup: 1 };

const MOCKUPS = { total: 2, perGroup: 1 };

/** One at a time for each account; all share the threads, see `createBatchQueue`. */
const BATCHES = { total: 2, perGroup: 1 };

/** No account delays others. */
const MAIL = { total: 4, perGroup: 1 };

type RequiredServices = Pick<
  Services,
  | "db"
  | "engine"
  | "sources"
  | "renders"
  | "renderTimeoutMs"
  | "webhookClient"
  | "mailer"
  | "publicUrl"
>;

export interface BatchOptions {
  /** See `BatchLimits`. */
  readonly runMs?: number | undefined;
  /** See `createBatchQueue`; default: 1. */
  readonly spareThreads?: number;
}

/** Starts all job workers; the end of each job is logged. */
export async function startJobWorkers(
  jobs: Jobs,
  services: RequiredServices,
  log: Log,
  { runMs, spareThreads = 1 }: BatchOptions = {},
): Promise<void> {
  await startDeliveries(jobs, services, log);
  const exporting = logged(log, "make_export", (job) => makeExport(services, job));
  await jobs.work("make_export", EXPORTS, exporting);
  const drawing = logged(log, "draw_mockups", (job) => drawMockups(services, job));
  await jobs.work("draw_mockups", MOCKUPS, drawing);
  const queue = createBatchQueue(() => services.engine.threads, spareThreads);
  const limits = { queue, runMs };
  const rendering = logged(log, "render_batch", (job) => renderBatch(services, job, limits));
  await jobs.work("render_batch", BATCHES, rendering);
  const sending = logged(log, "send_mail", (job) => sendMail(services, job));
  await jobs.work("send_mail", MAIL, sending);
}

/** Starts delivering events; each attempt is logged. */
export async function startDeliveries(
  jobs: Jobs,
  services: Pick<Services, "webhookClient">,
  log: Log,
): Promise<void> {
  const delivering = logged(log, "deliver_webhook", (job) => deliverWebhook(services, job));
  await jobs.work("deliver_webhook", DELIVERIES, delivering);
}

/**
 * Wraps a job's handler, which returns the job's result, or null where nothing was left to do. Logs and measures the
 * end of each job.
 */
function logged<Queue extends QueueName>(
  log: Log,
  queue: Queue,
  handle: (job: Job<Queue>) => Promise<JobResult | null>,
): (job: Job<Queue>) => Promise<void> {
  return async (job) => {
    const start = performance.now();
    const { data, tries, signal } = job;
    const ended = (result: string, facts: LogFields | null): LogFields => {
      const ms = performance.now() - start;
      measure("job", { queue, result, seconds: ms / 1000 });
      return { job: queue, ...data, tries, ms: Math.round(ms), ...facts };
    };
    const options = {
      kind: SpanKind.CONSUMER,
      root: true,
      attributes: { "orbifold.queue": queue },
    };
    try {
      const facts = await inSpan(`job ${queue}`, options, () => handle(job));
      log.info(ended(facts?.status ?? "skipped", facts), "job done");
    } catch (error) {
      const entry = ended(signal.aborted ? "interrupted" : "error", null);
      // Other errors reach `logJobFailure`.
      if (signal.aborted) log.warn(entry, "job interrupted; it will be retried");
      throw error;
    }
  };
}

/** Logs errors of jobs and of the queue, and reports them to `readiness`. */
export function logJobFailure(
  log: Log,
  readiness: Readiness,
): (error: Error, job?: FailedJob) => void {
  return (error, job) => {
    readiness.reportError(error);
    if (!job) return log.error({ error }, "the job queue failed");
    const { queue, data, tries } = job;
    log.error({ job: queue, ...data, tries, error }, "job failed; it will be retried");
  };
}
