/** Databases for tests: one server for all files of a run, a new database for each test. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import root, { type Test } from "tap";
import { openSession } from "../../db/connection/pool.ts";
import { type Database, type DatabaseOptions, openDatabase, type Quotas } from "../../db/index.ts";
import { folderOf, startServerFor, TEMPLATE, urlOf } from "./database-servers.ts";

/** Creates an empty folder until the test ends. */
export async function temporaryFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "orbifold-test-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A running server, whose databases have names of this process. */
async function connect() {
  // A file that runs by hand has no server of a whole run.
  const owner = existsSync(folderOf(process.ppid)) ? process.ppid : process.pid;
  if (owner === process.pid) startServerFor(owner);
  const content = (name: string) => readFile(join(folderOf(owner), name), "utf8").catch(() => null);
  let url = await content("url");
  while (url === null) {
    const failure = await content("failure");
    if (failure !== null) throw new Error(failure);
    await delay(20);
    url = await content("url");
  }
  const server = url;
  const admin = await openSession(server);
  const made: string[] = [];
  root.teardown(async () => {
    for (const name of made) await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  });
  return async (template: string): Promise<string> => {
    const name = `test_${process.pid}_${made.length}`;
    made.push(name);
    // Strategy `wal_log`, the default, also writes the whole database to the log.
    await admin.query(`create database ${name} template ${template} strategy file_copy`);
    return urlOf(server, name);
  };
}

let connection: ReturnType<typeof connect> | undefined;

async function makeDatabase(template: string): Promise<string> {
  connection ??= connect();
  return (await connection)(template);
}

/** Returns the connection string of a new, migrated database. */
export const testDatabaseUrl = () => makeDatabase(TEMPLATE);

/** Returns the connection string of a new database without tables. */
export const emptyDatabaseUrl = () => makeDatabase("template1");

/** An open database of a test. */
export interface OpenedDatabase {
  readonly db: Database;
  readonly url: string;
  /** Queries the tables directly. */
  look(query: string): Promise<readonly Record<string, unknown>[]>;
}

/** Opens an empty database until a test ends; without options with the default ones. */
export type DatabasePool = (
  t: Test,
  quotas?: Quotas,
  objects?: DatabaseOptions["objects"],
) => Promise<OpenedDatabase>;

/** A database for one test after the other. */
interface Reusable extends OpenedDatabase {
  /** Deletes what a test has stored. Resolves with whether the next test can use the database. */
  empty(): Promise<boolean>;
  close(): Promise<void>;
}

async function openReusable(url: string): Promise<Reusable> {
  const opened = await openDatabase({ url, dataDir: "" });
  const session = await openSession(url);
  let isClosed = false;
  const db = {
    ...opened,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await opened.close();
    },
  };
  const look = async (query: string) => (await session.query(query)).rows;
  const names = (await look(TABLES)).map(({ name }) => name);
  const deletion = names.map((name) => `delete from ${name};`).join(" ");
  return {
    db,
    url,
    look,
    async empty() {
      if (isClosed) return false;
      await session.query(
        `begin; set local session_replication_role = replica; ${deletion} commit`,
      );
      return true;
    },
    async close() {
      await db.close();
      await session.end();
    },
  };
}

/** What a database has before it is used is in these tables: its version, and pg-boss's queues. */
const TABLES = `
select format('%I.%I', schemaname, tablename) as name from pg_tables
where schemaname in ('public', 'pgboss')
  and tablename not in ('schema_migrations', 'version', 'queue')
`;

/**
 * Returns a pool of databases, which are closed when `owner` ends. To open a new one takes longer than many
 * tests do, so tests use those of tests that have ended. Ids go on from these, so that what one of them still
 * does changes nothing.
 * @param makeUrl resolves with the connection string of a new, migrated database
 */
export function createDatabasePool(owner: Test, makeUrl: () => Promise<string>): DatabasePool {
  const unused: Reusable[] = [];
  const openNew = async () => {
    const opened = await openReusable(await makeUrl());
    // Registered after the URL is made, so that the database is closed before its server is.
    owner.teardown(() => opened.close());
    return opened;
  };
  return async (t, quotas, objects) => {
    const reusable = unused.shift() ?? (await openNew());
    t.teardown(async () => {
      if (await reusable.empty()) unused.push(reusable);
      else await reusable.close();
    });
    if (quotas === undefined && objects === undefined) return reusable;
    const { url, look } = reusable;
    const db = await openDatabase({
      url,
      dataDir: "",
      ...(quotas && { quotas }),
      ...(objects && { objects }),
    });
    t.teardown(() => db.close());
    return { db, url, look };
  };
}

/** The databases of this process. */
export const testDatabases = createDatabasePool(root, testDatabaseUrl);

/** Opens an empty database until the test ends. */
export const testDatabase: (...given: Parameters<DatabasePool>) => Promise<Database> = async (
  ...given
) => (await testDatabases(...given)).db;
