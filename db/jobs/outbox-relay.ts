/** The outbox relay: moves jobs from the outbox to the job engine. */
import type { PgBoss } from "pg-boss";
import { subscribe } from "../connection/notifications.ts";
import { OUTBOX_CHANNEL } from "../queries/outbox.ts";

/** Notifications may be missed, so the outbox is polled as well. */
const POLL_MS = 5000;
const BATCH = 100;

/** Moves jobs whenever the outbox notifies of new rows, until it is closed. */
export async function openOutboxRelay(
  url: string,
  boss: PgBoss,
  onError: (error: Error) => void,
): Promise<{ close(): Promise<void> }> {
  let isClosed = false;
  const moveAll = async () => {
    while (!isClosed && (await moveBatch(boss)) === BATCH);
  };
  /** One at a time; calls meanwhile are merged into one that follows. */
  let moving: Promise<void> = Promise.resolve();
  let isPending = false;
  const move = () => {
    if (isPending) return;
    isPending = true;
    const follow = () => {
      isPending = false;
      return moveAll();
    };
    moving = moving.then(follow).catch(onError);
  };

  const subscription = await subscribe(url, OUTBOX_CHANNEL, move, move);
  const timer = setInterval(move, POLL_MS);
  timer.unref();
  move();
  return {
    async close() {
      isClosed = true;
      clearInterval(timer);
      await subscription.close();
      await moving;
    },
  };
}

/** Moves jobs in one transaction, of the engine since only its sessions know its clock. Returns how many. */
async function moveBatch(boss: PgBoss): Promise<number> {
  const transaction = await boss.getDb().beginTransaction?.();
  if (!transaction) throw new Error("the job engine does not run on a pool of its own");
  const { db } = transaction;
  try {
    // Rows that other processes are moving are skipped.
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
