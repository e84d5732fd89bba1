/** Migrations let the version before run on: CONTRIBUTING.md has the rules. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { problemsOf } from "./migration-rules.ts";

const FOLDER = join(import.meta.dirname, "../../db/migrations");

/** The last migration that is older than the rules. */
const BEFORE = 26;

const namesAfter = async (last: number) =>
  (await readdir(FOLDER)).filter(
    (name) => name.endsWith(".sql") && Number(name.slice(0, 4)) > last,
  );

t.test("every new migration keeps the rules", async (t) => {
  for (const name of await namesAfter(BEFORE)) {
    t.same(problemsOf(name, await readFile(join(FOLDER, name), "utf8")), [], name);
  }
});

t.test("what an older version uses is not removed or restricted", (t) => {
  const refused: readonly [sql: string, problem: RegExp][] = [
    ["drop table patterns", /drops/],
    ["DROP\n  TABLE patterns", /drops/],
    ["create table a (id int); drop view seen", /drops/],
    ["drop function f(int)", /drops/],
    ["truncate events", /deletes/],
    ["alter table patterns rename to designs", /renames/],
    ["alter table patterns rename column name to title", /renames/],
    ["alter type state rename value 'a' to 'b'", /renames/],
    ["alter table patterns drop column name", /drops a column/],
    ["alter table patterns add column a int, drop name", /drops a column/],
    ["alter table patterns alter column name type varchar(9)", /type/],
    ["alter table patterns alter name set data type text", /type/],
    ["alter table patterns alter column name set not null", /refuses rows/],
    ["alter table patterns alter column credits drop default", /refuses rows/],
    ["alter table patterns add column title text not null", /does not fill/],
    ["alter table patterns add title text check (title in ('a', 'b')) not null", /does not fill/],
    ["alter table patterns add column n int generated always as (1) stored", /rewrites/],
    ["alter table patterns add constraint c check (name <> '')", /not valid/],
    ["alter table patterns add foreign key (a) references b on delete cascade", /not valid/],
    ["alter table patterns add unique (name)", /not valid/],
    ["create unique index on patterns (name)", /refuses rows/],
    ["create index patterns_by_name on patterns (name)", /if not exists/],
    ["create index concurrently patterns_by_name on patterns (name)", /concurrently/],
    ["create table a (account_id bigint not null references accounts)", /could not delete/],
    ["create table a (b int references accounts (id) on update cascade)", /could not delete/],
  ];
  for (const [sql, problem] of refused) {
    t.match(problemsOf("0099-a.sql", sql).join(), problem, sql);
    const dated = `-- Contract: not used since 1.2.0\n${sql}`;
    t.same(problemsOf("0099-a.contract.sql", dated), [], "unless it says since when");
  }
  t.match(problemsOf("0099-a.contract.sql", "drop table a"), [/not used since/]);
  t.match(problemsOf("0099-a.sql", "-- Contract: not used since 1.2.0\ndrop table a"), [/drops/]);
  t.end();
});

t.test("what is added is not refused", (t) => {
  for (const sql of [
    "-- drop table a;\ncreate table a (id int primary key, b text not null, unique (b))",
    "create table a (account_id bigint references accounts on delete cascade); create index on a (account_id)",
    "create table a (id int primary key); create table b (a int references a); create unique index on a (id)",
    "create unlogged table a (id int); alter table a add constraint c check (id > 0)",
    "alter table patterns add column a text, add column b int not null default 0 check (b >= 0)",
    "alter table patterns add column key text; create unique index on patterns (key) where key is not null",
    "alter table patterns add constraint c check (name <> '') not valid",
    "alter table patterns validate constraint c",
    "alter table patterns alter column name drop not null, drop constraint c",
    "create index if not exists patterns_by_name on patterns (name)",
    "create function f() returns trigger language plpgsql as $$ begin drop table a; end $$",
    "create trigger g after insert on patterns for each row execute function f()",
    "drop trigger g on patterns; drop index patterns_by_name",
    "insert into a values ('drop table a; -- no'); update a set b = 'it''s'",
    "alter type state add value 'new'",
  ]) {
    t.same(problemsOf("0099-a.sql", sql), [], sql);
  }
  t.end();
});

t.test("the rules find what two migrations before them do", async (t) => {
  const problems = async (start: string) => {
    const [name = ""] = (await namesAfter(0)).filter((one) => one.startsWith(start));
    return problemsOf(name, await readFile(join(FOLDER, name), "utf8"));
  };
  t.match(await problems("0025"), [/could not delete/], "an older version deletes no such account");
  t.match(await problems("0026"), [/not valid/, /not valid/]);
});
