/** Listens on a channel of the database, and reconnects after the connection was lost. */
import type pg from "pg";
import { openSession } from "./pool.ts";

/** Milliseconds before reconnecting. */
const RETRY_MS = 500;

export interface Subscription {
  close(): Promise<void>;
}

/**
 * Calls `onNotification` with the payload of each notification, and `onReconnect` after a reconnection,
 * when some may have been missed. Resolves once it listens.
 */
export async function subscribe(
  url: string,
  channel: string,
  onNotification: (payload: string) => void,
  onReconnect: () => void,
): Promise<Subscription> {
  let session: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const connect = async () => {
    const opened = await openSession(url);
    opened.on("notification", ({ payload = "" }) => onNotification(payload));
    try {
      await opened.query(`listen ${channel}`);
    } catch (error) {
      await opened.end();
      throw error;
    }
    if (isClosed) return opened.end();
    session = opened;
    opened.once("end", () => {
      session = null;
      if (!isClosed) again();
    });
  };
  const again = () => {
    timer = setTimeout(() => connect().then(onReconnect, again), RETRY_MS);
    timer.unref();
  };

  await connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await session?.end();
    },
  };
}
