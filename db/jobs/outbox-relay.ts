/** Hands the jobs of the outbox to the job engine. */
import type { PgBoss } from "pg-boss";
import { subscribe } from "../connection/notifications.ts";
import { OUTBOX_CHANNEL } from "../queries/outbox.ts";

/** A notification may be missed; this often the outbox is looked at all the same. */
const LOOK_MS = 5000;
const BATCH = 100;

/** Looks into the outbox whenever something was put in, until it is closed. */
export async function openOutboxRelay(
  url: string,
  boss: PgBoss,
  failed: (error: Error) => void,
): Promise<{ close(): Promise<void> }> {
  let isClosed = false;
  const empty = async () => {
    while (!isClosed && (await handOver(boss)) === BATCH);
  };
  /** One look at a time; one that is asked for meanwhile follows, and stands for all others. */
  let looking: Promise<void> = Promise.resolve();
  let isWaiting = false;
  const look = () => {
    if (isWaiting) return;
    isWaiting = true;
    const follow = () => {
      isWaiting = false;
      return empty();
    };
    looking = looking.then(follow).catch(failed);
  };

  const subscription = await subscribe(url, OUTBOX_CHANNEL, look, look);
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  look();
  return {
    async close() {
      isClosed = true;
      clearInterval(timer);
      await subscription.close();
      await looking;
    },
  };
}

/** Moves jobs in one transaction, of the engine's since its clock is told to its sessions. Gives how many. */
async function handOver(boss: PgBoss): Promise<number> {
  const transaction = await boss.getDb().beginTransaction?.();
  // Its own pool can begin one; adapters to others need not.
  if (!transaction) throw new Error("the job engine does not run on a pool of its own");
  const { db } = transaction;
  try {
    // Whatever other processes are moving is theirs.
    const { rows } = await db.executeSql(
      `delete from outbox where id in (
         select id from outbox order by created_at limit ${BATCH} for update skip locked)
       returning id, queue, "group", data, start_after`,
    );
    for (const [queue, jobs] of Map.groupBy(rows, (row) => row.queue)) {
      const inserts = jobs.map(({ id, group, data, start_after }) => ({
        id,
        data,
        group: { id: group },
        ...(start_after && { startAfter: start_after }),
      }));
      await boss.insert(queue, inserts, { db });
    }
    await transaction.commit();
    return rows.length;
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}
