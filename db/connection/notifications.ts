/** Listens on a channel of the database, over connections that are lost and made anew. */
import type pg from "pg";
import { openSession } from "./pool.ts";

/** How long to wait before a lost connection is made anew, in milliseconds. */
const RETRY_MS = 500;

export interface Subscription {
  close(): Promise<void>;
}

/**
 * Calls `heard` with the payload of each notification, and `missed` whenever some may have been
 * missed: after the connection was lost and is there again. Settles once it listens.
 */
export async function subscribe(
  url: string,
  channel: string,
  heard: (payload: string) => void,
  missed: () => void,
): Promise<Subscription> {
  let session: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const connect = async () => {
    const opened = await openSession(url);
    opened.on("notification", ({ payload = "" }) => heard(payload));
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
    timer = setTimeout(() => connect().then(missed, again), RETRY_MS);
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
