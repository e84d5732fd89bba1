import { cp, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import { openSession } from "../../db/connection/pool.ts";
import { CHUNK_BYTES, DatabaseUnavailable, openDatabase, SchemaMismatch } from "../../db/index.ts";
import { migrate } from "../../db/migrations/migrate.ts";
import { emptyDatabaseUrl, temporaryFolder, testDatabaseUrl } from "../helpers/database.ts";

const OURS = join(import.meta.dirname, "../../db/migrations");

/** A folder of migrations that the test may change, and access to the database. */
async function prepare(t: Test, files: Record<string, string>) {
  const [url, folder] = [await emptyDatabaseUrl(), await temporaryFolder(t)];
  const write = async (name: string, sql: string) => writeFile(join(folder, name), sql);
  for (const [name, sql] of Object.entries(files)) await write(name, sql);
  const session = await openSession(url);
  t.teardown(() => session.end());
  return {
    write,
    remove: (name: string) => rm(join(folder, name)),
    migrate: (log?: (line: string) => void) => migrate(url, log, folder),
    look: async (sql: string) => (await session.query(sql)).rows,
  };
}

const applied = "select number, name from schema_migrations order by number";

t.test("applies each migration once, in numeric order", async (t) => {
  const { migrate, write, look } = await prepare(t, {
    "0002-more.sql": "alter table things add column more text; insert into things values (1, 'x')",
    "0001-things.sql": "create table things (id int)",
    "notes.txt": "this is no migration",
  });
  const lines: string[] = [];
  const version = await migrate((line) => lines.push(line));
  t.ok(version >= 15);
  t.same(lines, ["database: applied 0001-things.sql", "database: applied 0002-more.sql"]);
  await write("0003-last.sql", "insert into things values (2, 'y')");
  await migrate((line) => lines.push(line));
  await migrate((line) => lines.push(line));
  t.equal(lines.length, 3);
  t.same(await look("select * from things order by id"), [
    { id: 1, more: "x" },
    { id: 2, more: "y" },
  ]);
});

t.test("concurrent processes apply each migration once", async (t) => {
  const { migrate, look } = await prepare(t, {
    "0001-things.sql": "create table things (id int); insert into things values (1)",
    "0002-more.sql": "insert into things values (2)",
  });
  await Promise.all(Array.from({ length: 6 }, () => migrate()));
  t.same(await look("select id from things order by id"), [{ id: 1 }, { id: 2 }]);
});

t.test("a failing migration is rolled back and reported", async (t) => {
  const { migrate, write, look } = await prepare(t, {
    "0001-things.sql": "create table things (id int)",
    "0002-bad.sql": "insert into things values (1); insert into nowhere values (1)",
  });
  await t.rejects(migrate(), {
    name: "DatabaseUnavailable",
    message: 'migration 0002-bad.sql: relation "nowhere" does not exist',
  });
  t.same(await look("select * from things"), []);
  t.same(await look(applied), [{ number: 1, name: "0001-things.sql" }]);
  await write("0002-bad.sql", "insert into things values (1)");
  await migrate();
  t.same(await look("select * from things"), [{ id: 1 }]);
});

t.test("rejects a migration that was changed after it was applied", async (t) => {
  const { migrate, write } = await prepare(t, {
    "0001-things.sql": "create table things (id int)",
  });
  await migrate();
  await write("0001-things.sql", "create table things (id bigint)");
  const error = await migrate().catch((thrown: Error) => thrown);
  t.ok(error instanceof SchemaMismatch);
  t.match(String(error), "0001-things.sql");
});

t.test("ignores line endings in migrations", async (t) => {
  const { migrate, write } = await prepare(t, { "0001-a.sql": "create table a (\nid int\n)" });
  await migrate();
  await write("0001-a.sql", "create table a (\r\nid int\r\n)");
  await t.resolves(migrate());
});

t.test("rejects a database of a newer version without changing it", async (t) => {
  const { migrate, remove, write, look } = await prepare(t, {
    "0001-a.sql": "create table a (id int)",
    "0003-c.sql": "create table c (id int)",
  });
  await migrate();
  await remove("0003-c.sql");
  await write("0002-b.sql", "create table b (id int)");
  const error = await migrate().catch((thrown: Error) => thrown);
  t.ok(error instanceof SchemaMismatch);
  t.match(String(error), "at migration 3 and this version knows up to 2");
  t.equal((await look(applied)).length, 2);
});

t.test("runs on what a newer version has added, until it removes something", async (t) => {
  const { migrate, remove, write, look } = await prepare(t, {
    "0001-a.sql": "create table a (id int, old int)",
    "0002-b.sql": "create table b (id int)",
  });
  await migrate();
  await remove("0002-b.sql");
  const lines: string[] = [];
  await migrate((line) => lines.push(line));
  t.same(lines, ["database: a newer version has applied migrations 2"]);
  await write("0002-b.sql", "create table b (id int)");
  await write("0003-old.contract.sql", "alter table a drop column old");
  await migrate();
  await remove("0003-old.contract.sql");
  await t.rejects(migrate(), {
    name: "SchemaMismatch",
    message: "the database is at migration 3 and this version knows up to 2: run the newer version",
  });
  t.equal((await look(applied)).length, 3);
});

t.test("opens a database that was migrated step by step", async (t) => {
  const folder = await temporaryFolder(t);
  const names = (await readdir(OURS)).sort();
  const url = await emptyDatabaseUrl();
  for (const name of names) {
    await cp(join(OURS, name), join(folder, name));
    await migrate(url, undefined, folder);
  }
  const db = await openDatabase({ url, dataDir: "" });
  t.same(await db.accounts.list(), []);
  await db.close();
});

t.test("splits stored files into smaller pieces", async (t) => {
  const folder = await temporaryFolder(t);
  const url = await emptyDatabaseUrl();
  for (const name of (await readdir(OURS)).filter((one) => one < "0013")) {
    await cp(join(OURS, name), join(folder, name));
  }
  await migrate(url, undefined, folder);
  const session = await openSession(url);
  t.teardown(() => session.end());
  const file = Buffer.alloc(2 ** 20 + 300_000, "orbifold");
  await session.query(`
    insert into accounts (email, plan, credits) values ('a@example.org', 'pro', 1);
    insert into source_bytes values (sha256('one'), 'one');
    insert into sources (account_id, kind, media_type, width, height, has_alpha, sha256)
      select 1, 'upload', 'image/png', 1, 1, false, sha256 from source_bytes;
    insert into patterns (account_id, source_id, "group", motif, lattice, seam, effects)
      values (1, 1, 'p4', '{}', '{}', '{}', '[]');
    insert into exports (account_id, pattern_id, design, source_sha256, fields, preflight, media_type,
      status, bytes) values (1, 1, '{}', '', '{}', '{}', '', 'done', 1)`);
  const pieces = [file.subarray(0, 2 ** 20), file.subarray(2 ** 20)];
  for (const [number, piece] of pieces.entries()) {
    await session.query("insert into export_chunks values (1, $1, $2)", [number, piece]);
  }
  const db = await openDatabase({ url, dataDir: "" });
  t.teardown(() => db.close());
  const chunks = await Array.fromAsync(db.exports.read(1, 0, file.byteLength - 1));
  t.ok(Buffer.concat(chunks).equals(file));
  t.same(
    chunks.map((chunk) => chunk.byteLength),
    [...Array.from({ length: 5 }, () => CHUNK_BYTES), file.byteLength - 5 * CHUNK_BYTES],
  );
});

t.test("counts what accounts stored before quotas existed", async (t) => {
  const folder = await temporaryFolder(t);
  const names = (await readdir(OURS)).sort();
  const url = await emptyDatabaseUrl();
  for (const name of names.filter((one) => one < "0014")) {
    await cp(join(OURS, name), join(folder, name));
  }
  await migrate(url, undefined, folder);
  const session = await openSession(url);
  t.teardown(() => session.end());
  await session.query(`
    insert into accounts (email, plan, credits) values ('a@example.org', 'pro', 1), ('b', 'pro', 1);
    insert into source_bytes values (sha256('one'), 'one'), (sha256('three'), 'three');
    insert into sources (account_id, kind, media_type, width, height, has_alpha, sha256)
      select 1, 'upload', 'image/png', 1, 1, false, sha256 from source_bytes;
    insert into patterns (account_id, source_id, "group", motif, lattice, seam, effects)
      select 1, 1, 'p4', '{}', '{}', '{}', '[]' from generate_series(1, 3);
    insert into api_keys (account_id, name, sha256, prefix, last_four, revoked_at) values
      (1, 'live', sha256('1'), '', '', null), (1, 'revoked', sha256('2'), '', '', now());
    insert into exports (account_id, pattern_id, design, source_sha256, fields, preflight, media_type,
      status, bytes) values (1, 1, '{}', '', '{}', '{}', '', 'done', 70),
      (1, 1, '{}', '', '{}', '{}', '', 'failed', null);
    insert into exports (account_id, pattern_id, design, source_sha256, fields, preflight, media_type)
      select 1, 1, '{}', '', json_build_object('format', format), json_build_object(
        'pixels', '{"width":100,"height":50}'::json, 'raster', 'sheet', 'repeats', repeats), ''
      from (values ('png', false), ('png', true), ('jpeg', false)) as ordered (format, repeats);
    insert into mockups (account_id, pattern_id, product, cell_mm, batch, status, image) values
      (1, 1, 'mug', 1, gen_random_uuid(), 'done', 'image'),
      (1, 1, 'bag', 1, gen_random_uuid(), 'queued', null);`);
  const db = await openDatabase({ url, dataDir: "" });
  t.teardown(() => db.close());
  t.same(await db.accounts.usage(1), {
    sources: 2,
    source_bytes: 8,
    patterns: 3,
    api_keys: 1,
    // The estimate of unfinished orders.
    output_bytes: 70 + 3 * 2 ** 16 + 5000 * (4 + 1 + 1) + 5 + 2 ** 20,
    pinned_renders: 0,
    batch_items: 0,
    open_batches: 0,
  });
  t.match(await db.accounts.usage(2), { sources: 0, patterns: 0 });
});

t.test("reports an unreachable server without its password", async (t) => {
  const url = "postgresql://user:hidden@127.0.0.1:1/shop";
  const error = await openDatabase({ url, dataDir: "" }).catch((thrown: Error) => thrown);
  t.ok(error instanceof DatabaseUnavailable);
  t.match(String(error), "127.0.0.1:1/shop");
  t.notMatch(String(error), "hidden");
});

t.test("describes an external database, which never counts as new", async (t) => {
  const url = await testDatabaseUrl();
  const db = await openDatabase({ url, dataDir: "" });
  const { hostname, port, pathname, password } = new URL(url);
  t.equal(db.description, `PostgreSQL 18 at ${hostname}:${port}${pathname}`);
  t.notMatch(db.description, password);
  t.equal(db.isNew, false);
  await db.ping();
  await db.close();
  await t.rejects(db.ping());
});
