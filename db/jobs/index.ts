/**
 * Work that is done later, by any process, whatever becomes of the one that asked: pg-boss on the
 * same database. Jobs come out of the outbox, see `queries/outbox.ts`.
 */
import { type Db, type JobWithMetadata, PgBoss, systemClock } from "pg-boss";
import { sessionOptions } from "../connection/pool.ts";
import type { Connection } from "../connection/types.ts";
import type {
  Database,
  JobData,
  JobHandler,
  Jobs,
  JobsOptions,
  QueueName,
} from "../types/index.ts";
import { jobConnection } from "./connection.ts";
import { openOutboxRelay } from "./outbox-relay.ts";

const DAY = 24 * 60 * 60;

/** What holds for the jobs of every queue. */
const QUEUE = {
  // What fails is a fault of ours or a process that died, and waits for us to mend it.
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
  /** After so long without a sign of life its process counts as dead; left out: as above. */
  readonly heartbeatSeconds?: number;
}

const QUEUES: Readonly<Record<QueueName, QueueLimits>> = {
  deliver_webhook: { expireInSeconds: 30 },
  make_export: { expireInSeconds: 60 * 60, heartbeatSeconds: 20 },
  draw_mockups: { expireInSeconds: 10 * 60, heartbeatSeconds: 20 },
  send_mail: { expireInSeconds: 2 * 60 },
};

/** How often is looked for jobs of processes that are dead. */
const MONITOR_SECONDS = 15;

/** How often is looked for jobs whose time has come; others are told of. */
const POLL_SECONDS = 2;

/** How often is tidied up. */
const CHORE_MS = 10 * 60_000;

/** Each job that runs has one of these for its transaction; some are for pg-boss itself. */
const CONNECTIONS = 20;

/**
 * Where there was a job there may be more, and workers only look every few seconds when nobody tells
 * them: so those that have a job look again at its end, and one more begins to.
 */
function wake(boss: PgBoss, queue: QueueName): void {
  const workers = boss.getWipData().filter(({ name }) => name === queue);
  const idle = workers.find(({ count }) => count === 0);
  for (const worker of workers) {
    if (worker.count > 0 || worker === idle) boss.notifyWorker(worker.id);
  }
}

/**
 * Starts this process's part in the jobs; `bind` gives the queries on a job's transaction, `chore` is
 * done now and again. Throws what the driver throws.
 */
export async function openJobs(
  url: string,
  { clock = systemClock, failed }: JobsOptions,
  bind: (connection: Connection) => Database,
  chore: () => Promise<void>,
): Promise<Jobs> {
  const boss = new PgBoss({
    ...(sessionOptions(url) as object),
    max: CONNECTIONS,
    schedule: false,
    superviseIntervalSeconds: MONITOR_SECONDS,
    monitorIntervalSeconds: MONITOR_SECONDS,
    useListenNotify: true,
    clock,
  });
  boss.on("error", failed);
  await boss.start();
  for (const [name, options] of Object.entries(QUEUES)) {
    await boss.createQueue(name, { ...QUEUE, ...options });
    // The one that was there may have been made by an older version.
    await boss.updateQueue(name, { ...QUEUE, ...options });
  }
  const handover = await openOutboxRelay(url, boss, failed);
  const chores = setInterval(() => void chore().catch(failed), CHORE_MS);
  chores.unref();

  const run = async <Queue extends QueueName>(
    queue: Queue,
    handler: JobHandler<Queue>,
    { data, signal, retryCount }: JobWithMetadata<JobData[Queue]>,
    transaction: Db,
  ) => {
    const tries = retryCount + 1;
    try {
      const database = bind(jobConnection(transaction));
      await handler({ data, tries, database, now: () => clock.now(), signal });
    } catch (error) {
      if (!signal.aborted) failed(error as Error, { queue, data, tries });
      throw error;
    }
  };

  return {
    async work(queue, { atOnce, ofEachGroup }, handler) {
      const options = {
        localConcurrency: atOnce,
        localGroupConcurrency: ofEachGroup,
        pollingIntervalSeconds: POLL_SECONDS,
        notifyPollingIntervalSeconds: POLL_SECONDS,
        transactional: true,
        includeMetadata: true,
      } as const;
      await boss.work<JobData[typeof queue], void, typeof options>(
        queue,
        options,
        async ([job], transaction) => {
          await run(queue, handler, job, transaction);
          wake(boss, queue);
        },
      );
    },
    async stop(graceMs) {
      clearInterval(chores);
      await handover.close();
      await boss.stop({ graceful: true, timeout: graceMs });
    },
  };
}
