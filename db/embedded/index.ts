/**
 * The embedded PostgreSQL in the data folder. The first process starts it, others find it, the last one
 * stops it; its users hold a shared lock inside the database, which is released even when a process is
 * killed.
 */
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { PRESENCE_LOCK } from "../connection/locks.ts";
import { DatabaseUnavailable, errorMessage, openSession } from "../connection/pool.ts";
import { type Cluster, type EmbeddedOptions, openCluster, SUPERUSER } from "./cluster.ts";
import { findPostmaster, type Postmaster, startPostmaster, stopPostmaster } from "./postmaster.ts";

export interface Embedded {
  readonly url: string;
  /** Ends the use of the database, and stops it when no other process uses it. */
  release(): Promise<void>;
}

interface Presence {
  readonly session: pg.Client;
  readonly postmaster: Postmaster;
}

/** A start after a crash replays the log, which may take long. */
const PATIENCE_MS = 120_000;

/** How long after a failed start a lost server is started again. */
const RETRY_MS = 5000;

/** Another process is starting the server, took the port, or is still ending. */
const TRANSIENT = /lock file|still in use|TCP\/IP sockets/;

const urlOf = (cluster: Cluster, port: number) =>
  `postgresql://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}/postgres`;

/** Takes the shared lock of a ready server; null when the server stops meanwhile. */
async function join(cluster: Cluster, postmaster: Postmaster): Promise<Presence | null> {
  try {
    const session = await openSession(urlOf(cluster, postmaster.port));
    // The process that stops the server holds this lock exclusively: this one waits, and then loses
    // the connection.
    await session.query("select pg_advisory_lock_shared($1, $2)", PRESENCE_LOCK);
    return { session, postmaster };
  } catch (error) {
    const { code = "" } = error as { code?: string };
    // 28P01, a wrong password, is the only error that is not transient.
    if (code !== "28P01") return null;
    throw new DatabaseUnavailable(
      `the password beside ${cluster.folder} is not that of the database in it`,
      { cause: error },
    );
  }
}

/** Finds or starts the server, and tries again when another process stops it at the same time. */
async function attach(cluster: Cluster, port?: number): Promise<Presence> {
  const deadline = Date.now() + PATIENCE_MS;
  let reason = "it does not answer";
  while (Date.now() < deadline) {
    const found = await findPostmaster(cluster);
    if (found?.isReady) {
      const presence = await join(cluster, found);
      if (presence) return presence;
    } else if (!found) {
      const failure = await startPostmaster(cluster, port);
      if (failure === null) continue;
      reason = failure;
      if (!TRANSIENT.test(failure)) break;
    }
    await delay(50);
  }
  throw new DatabaseUnavailable(
    `the embedded PostgreSQL does not start: ${reason} (see ${cluster.log})`,
  );
}

/** True when no other process uses the server; from then on none can join. */
async function isLast(session: pg.Client): Promise<boolean> {
  await session.query("select pg_advisory_unlock_shared($1, $2)", PRESENCE_LOCK);
  const { rows } = await session.query(
    "select pg_try_advisory_lock($1, $2) as alone",
    PRESENCE_LOCK,
  );
  return rows[0].alone;
}

/** Opens the embedded database in `dataDir`. Throws `DatabaseUnavailable`, `NoDatabase`. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log } = options;
  const cluster = await openCluster(options);
  const first = await attach(cluster);
  const { port } = first.postmaster;
  let presence: Promise<Presence | null> = Promise.resolve(first);
  let isReleased = false;

  // The server may be killed, or drop all connections to repair itself. Without this process's lock
  // the next one to end would stop it.
  const keepPresence = ({ session }: Presence): void => {
    session.once("end", () => {
      if (isReleased) return;
      log?.("database: lost the embedded PostgreSQL, looking for it");
      presence = attachAgain();
    });
  };
  const attachAgain = async (): Promise<Presence | null> => {
    while (!isReleased) {
      try {
        const again = await attach(cluster, port);
        if (again.postmaster.port !== port) {
          log?.("database: it runs on another port now, orbifold has to be started again");
        }
        keepPresence(again);
        return again;
      } catch (error) {
        log?.(`database: ${errorMessage(error)}`);
        await delay(RETRY_MS);
      }
    }
    return null;
  };
  keepPresence(first);

  return {
    url: urlOf(cluster, port),
    release: async () => {
      isReleased = true;
      const held = await presence;
      if (!held) return;
      // If the connection breaks now, the server is stopping already.
      const isAlone = await isLast(held.session).catch(() => false);
      if (isAlone) await stopPostmaster(cluster, held.postmaster);
      await held.session.end().catch(() => undefined);
    },
  };
}
