/**
 * PostgreSQL of our own in the data folder. Whichever process comes first starts it, the others
 * find it, the last one stops it; who uses it is counted by a lock inside the database, which the
 * system lets go of even when a process is killed.
 */
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { PRESENCE_LOCK } from "../connection/locks.ts";
import { DatabaseUnavailable, openSession, reason } from "../connection/pool.ts";
import type { DatabaseOptions } from "../types/index.ts";
import { type Cluster, openCluster, SUPERUSER } from "./cluster.ts";
import { findPostmaster, type Postmaster, startPostmaster, stopPostmaster } from "./postmaster.ts";

export interface Embedded {
  readonly url: string;
  /** Gives up the use of the database, and stops it when nobody else uses it. */
  release(): Promise<void>;
}

interface Presence {
  readonly session: pg.Client;
  readonly postmaster: Postmaster;
}

/** A start after a crash replays what was written last, which can take its time. */
const PATIENCE_MS = 120_000;

/** Another process started it at the same time, took the port, or has not quite ended yet. */
const PASSES = /lock file|still in use|TCP\/IP sockets/;

const urlOf = (cluster: Cluster, port: number) =>
  `postgresql://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}/postgres`;

/** Takes a shared hold of a ready server; null when it goes down under our hands. */
async function takePlace(cluster: Cluster, postmaster: Postmaster): Promise<Presence | null> {
  try {
    const session = await openSession(urlOf(cluster, postmaster.port));
    // Whoever stops the server holds this lock alone: we wait, and then lose the connection.
    await session.query("select pg_advisory_lock_shared($1, $2)", PRESENCE_LOCK);
    return { session, postmaster };
  } catch (error) {
    const { code = "" } = error as { code?: string };
    // 28P01, a wrong password, is the one answer that waiting does not change.
    if (code !== "28P01") return null;
    throw new DatabaseUnavailable(
      `the password beside ${cluster.folder} is not that of the database in it`,
      { cause: error },
    );
  }
}

/** Finds the server or starts it, as often as it takes when others stop it at the same time. */
async function attach(cluster: Cluster, preferredPort: number): Promise<Presence> {
  const deadline = Date.now() + PATIENCE_MS;
  let reason = "it does not answer";
  while (Date.now() < deadline) {
    const found = await findPostmaster(cluster);
    if (found?.isReady) {
      const presence = await takePlace(cluster, found);
      if (presence) return presence;
    } else if (!found) {
      const failure = await startPostmaster(cluster, preferredPort);
      if (failure === null) continue;
      reason = failure;
      if (!PASSES.test(failure)) break;
    }
    await delay(50);
  }
  throw new DatabaseUnavailable(
    `the embedded PostgreSQL does not start: ${reason} (see ${cluster.log})`,
  );
}

/** True when no other process uses the server; nobody can begin to after that. */
async function isLast(session: pg.Client): Promise<boolean> {
  await session.query("select pg_advisory_unlock_shared($1, $2)", PRESENCE_LOCK);
  const { rows } = await session.query(
    "select pg_try_advisory_lock($1, $2) as alone",
    PRESENCE_LOCK,
  );
  return rows[0].alone;
}

/** Opens the embedded database in `dataDir`. Throws `DatabaseUnavailable`, `NoDatabase`. */
export async function openEmbedded(options: Omit<DatabaseOptions, "url">): Promise<Embedded> {
  const { log } = options;
  const cluster = await openCluster(options);
  const first = await attach(cluster, 0);
  const { port } = first.postmaster;
  let presence: Promise<Presence | null> = Promise.resolve(first);
  let isReleased = false;

  // The server can be killed, or drop all connections to repair itself. Without our hold on it the
  // next process to end would stop it under our feet.
  const keep = ({ session }: Presence): void => {
    session.once("end", () => {
      if (isReleased) return;
      log?.("database: lost the embedded PostgreSQL, looking for it");
      presence = attach(cluster, port).then(
        (again) => {
          if (again.postmaster.port !== port) {
            log?.("database: it runs on another port now, orbifold has to be started again");
          }
          keep(again);
          return again;
        },
        (error) => {
          log?.(`database: ${reason(error)}`);
          return null;
        },
      );
    });
  };
  keep(first);

  return {
    url: urlOf(cluster, port),
    release: async () => {
      isReleased = true;
      const held = await presence;
      if (!held) return;
      // A connection that breaks now says that the server is going down anyway.
      const isOurs = await isLast(held.session).catch(() => false);
      if (isOurs) await stopPostmaster(cluster, held.postmaster);
      await held.session.end().catch(() => undefined);
    },
  };
}
