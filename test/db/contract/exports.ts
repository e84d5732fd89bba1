/** Contract: exports are ordered, written in chunks, and stored for a time. */
import { hash, randomBytes } from "node:crypto";
import type { Test } from "tap";
import {
  CHUNK_BYTES,
  Conflict,
  type Database,
  type ExportRun,
  Superseded,
} from "../../../db/index.ts";
import type { DatabasePool } from "../../helpers/database.ts";
import { design, makeAccount, picture } from "./fixtures.ts";

const LIMITS = { estimatedBytes: 400, unfinishedAtMost: 3 };

const ORDER = {
  design: { group: "p4" },
  source_sha256: "ab",
  fields: { width_mm: 100 },
  preflight: { warnings: [] },
  media_type: "application/pdf",
};

async function makePattern(db: Database, accountId: number): Promise<number> {
  const { fields, bytes } = picture(`source of ${accountId}`);
  const source = await db.sources.create(accountId, fields, bytes, 0);
  const pattern = await db.patterns.create(accountId, design(source.id), 0);
  return pattern?.id ?? 0;
}

async function withPattern(t: Test, open: DatabasePool) {
  const { db, look } = await open(t);
  const account = await makeAccount(db);
  const pattern_id = await makePattern(db, account.id);
  const order = async () => {
    const ordered = await db.exports.create(account.id, { pattern_id, ...ORDER }, LIMITS);
    if (!ordered) throw new Error("the pattern is the account's");
    return ordered.id;
  };
  const begin = async (id: number): Promise<ExportRun> => ({
    id,
    run: (await db.exports.begin(id))?.run ?? 0,
  });
  const make = async (bytes: Uint8Array) => {
    const run = await begin(await order());
    const file = await db.exports.openFile(run);
    await file.write(bytes);
    await db.exports.finish(run, { bytes: bytes.length, sha256: "cd", certificate: null });
    return run.id;
  };
  return { db, look, account, pattern_id, order, begin, make };
}

export function exportContract(t: Test, open: DatabasePool): void {
  t.test("an export is created, written in pieces and read back", async (t) => {
    const { db, look, account, pattern_id, order, begin } = await withPattern(t, open);
    const id = await order();
    t.match(await db.exports.get(account.id, id), {
      ...ORDER,
      id,
      pattern_id,
      status: "queued",
      progress: 0,
      bytes: null,
      expires_at: null,
    });
    const [job] = await look("select queue, data from outbox");
    t.same(job, { queue: "make_export", data: { export_id: id } });

    const run = await begin(id);
    const read = async (start: number, end: number) =>
      Buffer.concat(await Array.fromAsync(db.exports.read(id, start, end)));
    const first = randomBytes(CHUNK_BYTES);
    const file = await db.exports.openFile(run);
    await file.write(first);
    await file.write(Uint8Array.of(5));
    await db.exports.recordProgress(run, 40);
    t.match(await db.exports.get(account.id, id), { status: "running", progress: 40 });
    await t.rejects(
      read(0, 0),
      { message: `export ${id} is gone` },
      "incomplete files are not visible",
    );
    await file.overwrite(1, Uint8Array.of(9, 8));
    first.set([9, 8], 1);
    const whole = Buffer.concat([first, Uint8Array.of(5)]);
    const made = await file.finish(new AbortController().signal);
    t.match(made, { bytes: CHUNK_BYTES + 1, sha256: hash("sha256", whole) });

    await db.exports.finish(run, { ...made, certificate: { verdict: "holds" } });
    const done = await db.exports.get(account.id, id);
    const { bytes, sha256 } = made;
    t.match(done, { bytes, sha256, certificate: { verdict: "holds" } });
    t.match(done, { status: "done", progress: 100, error: null });
    const days = (Number(done?.expires_at) - Number(done?.finished_at)) / 86_400_000;
    t.equal(days, 7);
    t.ok((await read(0, CHUNK_BYTES)).equals(whole));
    t.ok((await read(CHUNK_BYTES - 2, CHUNK_BYTES)).equals(whole.subarray(-3)));
    await t.rejects(read(0, 2 * CHUNK_BYTES), { message: `export ${id} is gone` });
    t.equal(await db.exports.begin(id), null, "what is done is not done again");
  });

  t.test("a later run takes over an export from an earlier one", async (t) => {
    const { db, look, account, order, begin } = await withPattern(t, open);
    const id = await order();
    const first = await begin(id);
    const earlier = await db.exports.openFile(first);
    await earlier.write(Uint8Array.of(1));
    const second = await begin(id);
    t.same([first.run, second.run], [1, 2]);
    t.same(await look("select number from export_chunks"), [], "it starts over");
    const facts = { bytes: 1, sha256: "", certificate: null };
    const calls: readonly (() => Promise<unknown>)[] = [
      () => earlier.write(Uint8Array.of(1)),
      () => earlier.overwrite(0, Uint8Array.of(1)),
      () => earlier.finish(new AbortController().signal),
      () => db.exports.recordProgress(first, 50),
      () => db.exports.finish(first, facts),
      () => db.exports.fail(first, "late"),
    ];
    for (const late of calls) await t.rejects(late(), Superseded);
    await (await db.exports.openFile(second)).write(Uint8Array.of(2));
    await db.exports.fail(second, "the source cannot be read");
    t.match(await db.exports.get(account.id, id), {
      status: "failed",
      error: "the source cannot be read",
    });
    t.same(await look("select number from export_chunks"), [], "its pieces are gone");
    t.equal(await db.exports.begin(id), null, "what is given up is not begun again");
  });

  t.test("an account sees its own exports only, newest first", async (t) => {
    const { db, account, pattern_id, order } = await withPattern(t, open);
    const other = await makeAccount(db, 0, "b@example.org");
    const foreign = { pattern_id, ...ORDER };
    t.equal(await db.exports.create(other.id, foreign, LIMITS), null);
    const ids = [await order(), await order(), await order()];
    t.equal(await db.exports.get(other.id, ids[0]), null);
    t.equal(await db.exports.delete(other.id, ids[0]), false);
    t.same((await db.exports.list(other.id, { limit: 5 })).rows, []);
    const { rows, next } = await db.exports.list(account.id, { limit: 2 });
    t.same(
      rows.map(({ id }) => id),
      [ids[2], ids[1]],
    );
    const rest = await db.exports.list(account.id, { limit: 2, before: next ?? 0 });
    t.same([rest.rows.map(({ id }) => id), rest.next], [[ids[0]], null]);
    const ofNone = { limit: 5, pattern_id: pattern_id + 1 };
    t.same((await db.exports.list(account.id, ofNone)).rows, []);
  });

  t.test("limits the number of unfinished exports", async (t) => {
    const { db, account, order } = await withPattern(t, open);
    const ids = [await order(), await order(), await order()];
    await t.rejects(order(), Conflict);
    for (const id of ids) await db.exports.delete(account.id, id);
    await order();
    const at = await Promise.allSettled([order(), order(), order(), order()]);
    t.equal(at.filter(({ status }) => status === "fulfilled").length, 2, "even at the same time");
  });

  t.test("deleting an unfinished export deletes its file", async (t) => {
    const { db, look, account, pattern_id, order, begin, make } = await withPattern(t, open);
    const run = await begin(await order());
    const file = await db.exports.openFile(run);
    await file.write(Uint8Array.of(1));
    await db.exports.delete(account.id, run.id);
    await t.rejects(file.write(Uint8Array.of(1)), Superseded);
    await make(Uint8Array.of(1, 2, 3));
    t.equal(await db.patterns.delete(account.id, pattern_id), true);
    t.same(await look("select export_id from export_chunks"), []);
    t.same((await db.exports.list(account.id, { limit: 5 })).rows, []);
  });

  t.test("a crashed run counts as a failure, a paused one does not", async (t) => {
    const { db, account, order, begin } = await withPattern(t, open);
    const id = await order();
    const failures = async () => (await db.exports.begin(id))?.failures;
    t.equal(await failures(), 0);
    t.equal(await failures(), 1);
    const run = await begin(id);
    await db.exports.pause(run);
    t.match(await db.exports.get(account.id, id), { status: "queued", progress: 0 });
    await t.rejects(db.exports.recordProgress(run, 5), Superseded);
    t.equal(await failures(), 2);
    await db.exports.pause(run);
    t.match(await db.exports.get(account.id, id), { status: "running" }, "it is another's now");
  });

  t.test("expired exports are not found, and are deleted later", async (t) => {
    const { db, look, account, order, make } = await withPattern(t, open);
    const id = await make(Uint8Array.of(1));
    await look(`update exports set expires_at = now() where id = ${id}`);
    t.equal(await db.exports.get(account.id, id), null);
    t.equal(await db.exports.delete(account.id, id), false);
    t.same((await db.exports.list(account.id, { limit: 5 })).rows, []);
    const next = await order();
    await db.deleteExpired();
    t.same(await look("select id from exports"), [{ id: String(next) }]);
  });
}
