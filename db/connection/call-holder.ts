/**
 * The holder of this process's idempotent calls in flight: a database session with an advisory lock.
 * PostgreSQL releases the lock when the session ends, which it does at once when the process is killed,
 * and after some 20 seconds when its machine is lost. A holder's number is never used for another
 * session, so calls of a lost session are free even while their process lives.
 */
import type pg from "pg";
import { CALL_HOLDER_LOCK } from "./locks.ts";
import { reconnectingSession } from "./reconnecting-session.ts";

export interface CallHolder {
  /** Resolves with the number whose lock is held. Rejects with ConnectionError. */
  take(): Promise<HolderLock>;
  close(): Promise<void>;
}

export interface HolderLock {
  readonly number: number;
  /** Releases the lock, and with it every call of this number that is in flight. */
  abandon(): void;
}

/** The server probes a silent client after 5 seconds, then twice more. */
const KEEP_ALIVE =
  "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";

async function takeNumber(client: pg.Client): Promise<number> {
  await client.query(KEEP_ALIVE);
  const { rows } = await client.query("select nextval('call_holders')::integer as number");
  const { number } = rows[0];
  await client.query("select pg_advisory_lock($1, $2)", [CALL_HOLDER_LOCK, number]);
  return number;
}

/** A holder whose session is opened on first use. */
export function callHolder(url: string): CallHolder {
  const session = reconnectingSession(url, takeNumber);
  return {
    async take() {
      const mine = session.get();
      const { state: number } = await mine;
      return { number, abandon: () => session.drop(mine) };
    },
    close: session.close,
  };
}
