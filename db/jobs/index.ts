/**
 * Background jobs, run by any process. pg-boss runs them from the same database and gets them from the
 * outbox, see `queries/outbox.ts`.
 */
import type { Db, JobWithMetadata, PgBoss } from "pg-boss";
import { sessionOptions } from "../connection/pool.ts";
import type { Connection } from "../connection/types.ts";
import { jobConnection } from "./connection.ts";
import { openOutboxRelay } from "./outbox-relay.ts";
import type { JobData, JobHandler, JobsOptions, QueueName } from "./types.ts";

const DAY = 24 * 60 * 60;

/** The options of every queue. */
const QUEUE = {
  // A job fails through a bug or a process that died; it is retried until fixed.
  retryLimit: 1000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  retentionSeconds: 30 * DAY,
  deleteAfterSeconds: DAY,
  notify: true,
};

interface QueueLimits {
  /** How long a job may take. */
  readonly expireInSeconds: number;
  /** After so long without a heartbeat its process counts as dead. Default: `expireInSeconds`. */
  readonly heartbeatSeconds?: number;
}

const QUEUES: Readonly<Record<QueueName, QueueLimits>> = {
  deliver_webhook: { expireInSeconds: 30 },
  make_export: { expireInSeconds: 60 * 60, heartbeatSeconds: 20 },
  draw_mockups: { expireInSeconds: 10 * 60, heartbeatSeconds: 20 },
  // A run takes a minute and the renders that it has begun then.
  render_batch: { expireInSeconds: 60 * 60, heartbeatSeconds: 20 },
  send_mail: { expireInSeconds: 2 * 60 },
};

/** How often jobs of dead processes are looked for. */
const MONITOR_SECONDS = 15;

/** How often delayed jobs are looked for; of others, workers are notified. */
const POLL_SECONDS = 2;

/** Work that every process does again and again, whatever fails. */
interface Chore {
  readonly run: () => Promise<unknown>;
  readonly everyMs: number;
  /** When it is first done. Default: after `everyMs`. */
  readonly firstMs?: number;
}

/** One for the transaction of each running job, 20 at most, and some for pg-boss itself. */
const CONNECTIONS = 28;

/**
 * Makes workers look for another job at once, rather than with the next poll: those that have a job, at
 * its end, and one that is idle.
 */
function wake(boss: PgBoss, queue: QueueName): void {
  const workers = boss.getWipData().filter(({ name }) => name === queue);
  const idle = workers.find(({ count }) => count === 0);
  for (const worker of workers) {
    if (worker.count > 0 || worker === idle) boss.notifyWorker(worker.id);
  }
}

/** Returns the name of an error as the job engine records it; null if an attempt left none. */
function nameOf(recorded: unknown): string | null {
  const isError = recorded instanceof Object && "name" in recorded;
  return isError ? String(recorded.name) : null;
}

interface Concurrency {
  readonly total: number;
  readonly perGroup: number;
}

/**
 * Starts this process's job workers. Throws what the driver throws.
 * @param bind returns the queries on a job's transaction
 */
export async function openJobs<Database>(
  url: string,
  { clock: givenClock, onError }: JobsOptions,
  bind: (connection: Connection) => Database,
  chores: readonly Chore[],
) {
  // Loaded here, because other processes render or answer without jobs.
  const { PgBoss, systemClock } = await import("pg-boss");
  const clock = givenClock ?? systemClock;
  // pg-boss declares its options without `undefined`.
  const session: object = sessionOptions(url);
  const boss = new PgBoss({
    ...session,
    max: CONNECTIONS,
    schedule: false,
    superviseIntervalSeconds: MONITOR_SECONDS,
    monitorIntervalSeconds: MONITOR_SECONDS,
    useListenNotify: true,
    clock,
  });
  boss.on("error", onError);
  await boss.start();
  for (const [name, options] of Object.entries(QUEUES)) {
    await boss.createQueue(name, { ...QUEUE, ...options });
    // An existing queue may be an older version's.
    await boss.updateQueue(name, { ...QUEUE, ...options });
  }
  const relay = await openOutboxRelay(url, boss, onError);
  const timers = chores.flatMap(({ run, everyMs, firstMs = everyMs }) => {
    let running: Promise<unknown> = Promise.resolve();
    const work = () => {
      running = running.then(() => run()).catch(onError);
    };
    const timer = setInterval(work, everyMs).unref();
    return firstMs < everyMs ? [timer, setTimeout(work, firstMs).unref()] : [timer];
  });

  const run = async <Queue extends QueueName>(
    queue: Queue,
    handler: JobHandler<Queue, Database>,
    { data, signal, retryCount, output }: JobWithMetadata<JobData[Queue]>,
    transaction: Db,
  ) => {
    const tries = retryCount + 1;
    try {
      const database = bind(jobConnection(transaction));
      const lastError = nameOf(output);
      await handler({ data, tries, lastError, database, now: () => clock.now(), signal });
    } catch (error) {
      if (!signal.aborted) onError(error as Error, { queue, data, tries });
      throw error;
    }
  };

  return {
    /**
     * Takes jobs of a queue, `total` at a time and of each group at most `perGroup`. A job whose
     * handler throws, or whose process dies, is done again, by any process.
     */
    async work<Queue extends QueueName>(
      queue: Queue,
      { total, perGroup }: Concurrency,
      handler: JobHandler<Queue, Database>,
    ) {
      const options = {
        localConcurrency: total,
        localGroupConcurrency: perGroup,
        pollingIntervalSeconds: POLL_SECONDS,
        notifyPollingIntervalSeconds: POLL_SECONDS,
        transactional: true,
        includeMetadata: true,
      } as const;
      await boss.work<JobData[Queue], void, typeof options>(
        queue,
        options,
        async (batch, transaction) => {
          for (const job of batch) await run(queue, handler, job, transaction);
          wake(boss, queue);
        },
      );
    },
    /** Takes no more jobs and waits for those that run; after `graceMs` they are abandoned. */
    async stop(graceMs: number) {
      for (const timer of timers) clearTimeout(timer);
      await relay.close();
      // A graceful stop takes half a second at least.
      await boss.stop({ graceful: graceMs > 0, timeout: graceMs });
    },
  };
}
