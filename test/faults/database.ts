/** A PostgreSQL with its default durability, and the faults that it may have. */
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Test } from "tap";
import { openSession } from "../../db/connection/pool.ts";
import { openCluster } from "../../db/embedded/cluster.ts";
import { openEmbedded } from "../../db/embedded/index.ts";
import { findPostmaster } from "../../db/embedded/postmaster.ts";
import { descendantsOf, signalAll } from "../helpers/child-processes.ts";
import { temporaryFolder } from "../helpers/database.ts";

export interface FaultyDatabase {
  readonly url: string;
  /** Kills the server and all its processes; it is started again, on the same port. */
  kill(): Promise<void>;
  /** Ends the server as an operator would, without waiting for its clients; it is started again. */
  restart(): Promise<void>;
  /** Stops all its processes for some time. */
  pause(milliseconds: number): Promise<void>;
  /** Ends all connections. */
  disconnect(): Promise<void>;
  /** Takes all connections that are left for some time. */
  exhaust(milliseconds: number): Promise<void>;
}

/** Starts it until the test ends. */
export async function startFaultyDatabase(t: Test): Promise<FaultyDatabase> {
  const dataDir = await temporaryFolder(t);
  const cluster = await openCluster({ dataDir });
  const server = await openEmbedded({ dataDir });
  t.teardown(() => server.release());

  const postmaster = async (): Promise<number> => {
    for (;;) {
      const found = await findPostmaster(cluster);
      if (found?.isReady) return found.pid;
      await delay(50);
    }
  };
  const openReady = async (): Promise<pg.Client> => {
    for (;;) {
      await postmaster();
      const session = await openSession(server.url).catch(() => null);
      if (session) return session;
      await delay(50);
    }
  };
  const family = (id: number) => [{ id }, ...descendantsOf(id)];

  return {
    url: server.url,
    async kill() {
      signalAll(family(await postmaster()), "SIGKILL");
    },
    async restart() {
      // A fast shutdown: https://www.postgresql.org/docs/current/server-shutdown.html
      signalAll([{ id: await postmaster() }], "SIGINT");
    },
    async pause(milliseconds) {
      const paused = family(await postmaster());
      signalAll(paused, "SIGSTOP");
      await delay(milliseconds);
      signalAll(paused, "SIGCONT");
    },
    async disconnect() {
      const session = await openReady();
      await session.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
      );
      await session.end();
    },
    async exhaust(milliseconds) {
      const sessions = [await openReady()];
      try {
        for (;;) sessions.push(await openSession(server.url));
      } catch {
        await delay(milliseconds);
      }
      await Promise.allSettled(sessions.map((session) => session.end()));
    },
  };
}
