/**
 * Migrations: numbered SQL files, each applied once. What an older version uses is removed by files named
 * `NUMBER-NAME.contract.sql` only: until one is applied, older versions run on the same database.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { MIGRATION_LOCK } from "../connection/locks.ts";
import {
  DatabaseUnavailable,
  describeHost,
  errorMessage,
  openSession,
} from "../connection/pool.ts";

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

/** A newer version has removed what this one uses, or migrations have been changed since they were applied. */
export class SchemaMismatch extends Error {
  override readonly name = "SchemaMismatch";
  readonly code = "schema_mismatch";
}

const FOLDER = import.meta.dirname;
const OLDEST_SERVER = 150000;

async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-.*\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      // The same in a checkout with other line ends.
      const sql = (await readFile(join(folder, name), "utf8")).replaceAll("\r\n", "\n");
      const sha256 = createHash("sha256").update(sql).digest("hex");
      return { number: Number(name.slice(0, 4)), name, sql, sha256 };
    }),
  );
}

type Applied = ReadonlyMap<number, { readonly name: string; readonly sha256: string }>;

async function readApplied(session: pg.Client): Promise<Applied> {
  const table = await session.query("select to_regclass('schema_migrations') is not null as found");
  if (!table.rows[0].found) return new Map();
  const { rows } = await session.query("select number, name, sha256 from schema_migrations");
  return new Map(rows.map((row) => [row.number, row]));
}

/** The migrations still to be applied. Throws `SchemaMismatch`. */
function pending(known: readonly Migration[], applied: Applied): readonly Migration[] {
  const newest = Math.max(0, ...applied.keys());
  const last = known.at(-1)?.number ?? 0;
  const missing = known.filter(({ number }) => !applied.has(number));
  const isTooNew = ([number, { name }]: [number, { readonly name: string }]) =>
    number > last && name.endsWith(".contract.sql");
  if (newest > last && (missing.length > 0 || [...applied].some(isTooNew))) {
    throw new SchemaMismatch(
      `the database is at migration ${newest} and this version knows up to ${last}: run the newer version`,
    );
  }
  for (const { number, name, sha256 } of known) {
    const before = applied.get(number);
    if (before && before.sha256 !== sha256) {
      throw new SchemaMismatch(
        `migration ${name} is not the one that was applied to the database (as ${before.name}): restore the file and put the change into a new migration`,
      );
    }
  }
  return missing;
}

async function apply(session: pg.Client, migration: Migration): Promise<boolean> {
  await session.query("begin");
  try {
    await session.query("select pg_advisory_xact_lock($1, $2)", MIGRATION_LOCK);
    await session.query(
      `create table if not exists schema_migrations (
         number integer primary key,
         name text not null,
         sha256 text not null,
         applied_at timestamptz not null default now()
       )`,
    );
    // Another process may have applied it while this one waited for the lock.
    const isMissing = !(await readApplied(session)).has(migration.number);
    if (isMissing) {
      await session.query(migration.sql);
      await session.query(
        "insert into schema_migrations (number, name, sha256) values ($1, $2, $3)",
        [migration.number, migration.name, migration.sha256],
      );
    }
    await session.query("commit");
    return isMissing;
  } catch (error) {
    // The first error is reported; a broken connection rolls back by itself.
    await session.query("rollback").catch(() => undefined);
    throw new DatabaseUnavailable(`migration ${migration.name}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

/**
 * Applies the missing migrations in `folder` to the database at `url`, each in a transaction under one
 * lock for all processes, and returns the server's major version. Throws `DatabaseUnavailable` for a
 * server that cannot be reached, is too old or refuses, and `SchemaMismatch`.
 */
export async function migrate(
  url: string,
  log?: (line: string) => void,
  folder: string = FOLDER,
): Promise<number> {
  const session = await openSession(url).catch((error) => {
    throw new DatabaseUnavailable(
      `cannot reach PostgreSQL at ${describeHost(url)}: ${errorMessage(error)}`,
      {
        cause: error,
      },
    );
  });
  try {
    const { rows } = await session.query("select current_setting('server_version_num')::int as v");
    const version: number = rows[0].v;
    if (version < OLDEST_SERVER) {
      throw new DatabaseUnavailable(
        `PostgreSQL at ${describeHost(url)} is version ${Math.floor(version / 10000)}, 15 or newer is needed`,
      );
    }
    const [known, applied] = [await readMigrations(folder), await readApplied(session)];
    const missing = pending(known, applied);
    const newer = [...applied.keys()].filter((number) => number > (known.at(-1)?.number ?? 0));
    if (newer.length > 0)
      log?.(`database: a newer version has applied migrations ${newer.join(", ")}`);
    for (const migration of missing) {
      if (await apply(session, migration)) log?.(`database: applied ${migration.name}`);
    }
    return Math.floor(version / 10000);
  } finally {
    await session.end();
  }
}
