/**
 * The advisory lock of this process, held by a database session of its own: its idempotent calls in
 * flight can be claimed by others once it is released. PostgreSQL releases it when the session ends, at
 * once when the process is killed and after some 20 seconds when its machine is lost. Its number is never
 * used for another session, so calls of a lost session are free even while their process lives.
 */
import type pg from "pg";
import { PROCESS_LOCK } from "./locks.ts";
import { reconnectingSession } from "./reconnecting-session.ts";

export interface ProcessLock {
  /** Resolves with the number whose lock is held. Rejects with ConnectionError. */
  acquire(): Promise<HeldLock>;
  close(): Promise<void>;
}

export interface HeldLock {
  readonly number: number;
  /** Releases the lock, and with it every call of this number that is in flight. */
  release(): void;
}

/** The server probes a silent client after 5 seconds, then twice more. */
const KEEP_ALIVE =
  "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";

async function acquireNumber(client: pg.Client): Promise<number> {
  await client.query(KEEP_ALIVE);
  const { rows } = await client.query("select nextval('call_holders')::integer as number");
  const { number } = rows[0];
  await client.query("select pg_advisory_lock($1, $2)", [PROCESS_LOCK, number]);
  return number;
}

/** A lock whose session is opened on first use. */
export function processLock(url: string): ProcessLock {
  const session = reconnectingSession(url, acquireNumber);
  return {
    async acquire() {
      const mine = session.get();
      const { state: number } = await mine;
      return { number, release: () => session.drop(mine) };
    },
    close: session.close,
  };
}
