/** Real databases for tests: one embedded server for each test process, a fresh database for each test. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import root, { type Test } from "tap";
import { openEmbedded } from "../../db/embedded.ts";
import { type Database, openDatabase, type Quotas } from "../../db/index.ts";
import { migrate } from "../../db/migrate.ts";
import { openSession } from "../../db/pool.ts";

/** An empty folder that goes when the test ends. */
export async function temporaryFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "orbifold-test-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const TEMPLATE = "template_of_tests";

/**
 * Clears the server away when this process is killed, by a time limit say, before it could do so
 * itself: the shell's input ends with this process.
 */
async function guard(folder: string): Promise<() => void> {
  const [pid = ""] = (
    await readFile(join(folder, "postgres/cluster/postmaster.pid"), "utf8")
  ).split("\n");
  const script = 'read -r end; [ "$end" ] || { kill -QUIT "$1"; sleep 1; rm -rf "$2"; }';
  const shell = spawn("sh", ["-c", script, "guard", pid, folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  shell.unref();
  (shell.stdin as Socket).unref();
  return () => shell.stdin.end("end\n");
}

/** Starts the server, and makes the migrated database that the others are copied from. */
async function startServer() {
  const folder = await mkdtemp(join(tmpdir(), "orbifold-test-"));
  const server = await openEmbedded({ dataDir: folder });
  const dismissGuard = await guard(folder);
  const admin = await openSession(server.url);
  root.teardown(async () => {
    await admin.end();
    await server.release();
    dismissGuard();
    await rm(folder, { recursive: true, force: true });
  });
  const urlOf = (name: string) => Object.assign(new URL(server.url), { pathname: name }).href;
  await admin.query(`create database ${TEMPLATE}`);
  await migrate(urlOf(TEMPLATE));

  let made = 0;
  /** PostgreSQL copies a template for one at a time. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    makeDatabase: async (template: string): Promise<string> => {
      made += 1;
      const name = `test_${made}`;
      last = last.then(() => admin.query(`create database ${name} template ${template}`));
      await last;
      return urlOf(name);
    },
  };
}

let server: ReturnType<typeof startServer> | undefined;

/** The connection string of a fresh, migrated database on the test process's own server. */
export async function testDatabaseUrl(): Promise<string> {
  server ??= startServer();
  return (await server).makeDatabase(TEMPLATE);
}

/** The connection string of a fresh database without any table. */
export async function emptyDatabaseUrl(): Promise<string> {
  server ??= startServer();
  return (await server).makeDatabase("template1");
}

/** A fresh, migrated, empty database; it is closed when the test ends. */
export async function testDatabase(t: Test, quotas?: Quotas): Promise<Database> {
  const url = await testDatabaseUrl();
  const database = await openDatabase({ url, dataDir: "", ...(quotas && { quotas }) });
  t.teardown(() => database.close());
  return database;
}
