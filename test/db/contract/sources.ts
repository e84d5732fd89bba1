import type { Test } from "tap";
import { Conflict, CreditsExhausted } from "../../../db/index.ts";
import type { DatabasePool } from "../../helpers/database.ts";
import { design, makeAccount, picture } from "./fixtures.ts";

export function sourceContract(t: Test, open: DatabasePool): void {
  t.test("returns a source as created, with its bytes", async (t) => {
    const { db } = await open(t);
    const { id } = await makeAccount(db);
    const bytes = Uint8Array.from({ length: 70_000 }, (_, place) => (place * 7) % 256);
    const fields = {
      ...picture(bytes).fields,
      kind: "preset" as const,
      preset: "floral",
      seed: 2 ** 40,
    };
    const source = await db.sources.create(id, fields, bytes, 1);
    t.match(source, { ...fields, id: Number, account_id: id, created_at: Date });
    t.same(await db.sources.get(id, source.id), source);
    t.ok(Buffer.from(bytes).equals((await db.sources.bytes(fields.sha256)) ?? new Uint8Array()));
    t.equal(await db.sources.bytes(picture("unknown").fields.sha256), null);
  });

  t.test("stores only the view of a larger buffer", async (t) => {
    const { db } = await open(t);
    const { id } = await makeAccount(db);
    const { fields } = picture("inside");
    const inside = new TextEncoder().encode("<<inside>>").subarray(2, 8);
    await db.sources.create(id, fields, inside, 0);
    t.equal(Buffer.from((await db.sources.bytes(fields.sha256)) ?? []).toString(), "inside");
  });

  t.test("stores and deletes bytes of many pieces", async (t) => {
    const { db, look } = await open(t);
    const { id } = await makeAccount(db);
    const bytes = Buffer.from(Uint32Array.from({ length: 500_000 }, (_, place) => place).buffer);
    const { fields } = picture(bytes);
    await db.sources.create(id, fields, bytes, 0);
    await db.sources.create(id, fields, bytes, 0);
    const stored = await db.sources.bytes(fields.sha256);
    t.ok(stored && bytes.equals(stored));
    t.ok(stored?.buffer instanceof SharedArrayBuffer, "where all threads reach them");
    t.same(await look("select from uploaded_pieces"), []);
  });

  t.test("stores equal bytes once, until their last source is deleted", async (t) => {
    const { db, look } = await open(t);
    const { id } = await makeAccount(db);
    const other = await makeAccount(db, 10, "other@example.org");
    const { fields, bytes } = picture("shared");
    const mine = await db.sources.create(id, fields, bytes, 1);
    const theirs = await db.sources.create(other.id, fields, bytes, 1);
    t.equal((await look("select from source_bytes")).length, 1);
    t.equal(await db.sources.delete(id, mine.id), true);
    t.ok(await db.sources.bytes(fields.sha256));
    t.equal(await db.sources.delete(other.id, theirs.id), true);
    t.equal((await look("select from source_bytes")).length, 0);
  });

  t.test("concurrent creations and deletions of equal sources keep the bytes", async (t) => {
    const { db, look } = await open(t);
    const { id } = await makeAccount(db);
    const { fields, bytes } = picture("contended");
    const kept: number[] = [];
    const comeAndGo = async (stays: boolean) => {
      const source = await db.sources.create(id, fields, bytes, 0);
      if (stays) kept.push(source.id);
      else await db.sources.delete(id, source.id);
    };
    await Promise.all(Array.from({ length: 40 }, (_, place) => comeAndGo(place % 20 === 19)));
    t.same((await look("select id from sources")).length, kept.length);
    t.equal(Buffer.from((await db.sources.bytes(fields.sha256)) ?? []).toString(), "contended");
    await Promise.all(kept.map((source) => db.sources.delete(id, source)));
    t.equal((await look("select from source_bytes")).length, 0);
  });

  t.test("a creation with too few credits writes nothing", async (t) => {
    const { db, look } = await open(t);
    const { id } = await makeAccount(db, 1);
    const { fields, bytes } = picture("dear");
    await t.rejects(db.sources.create(id, fields, bytes, 2), new CreditsExhausted(2));
    t.match(await db.accounts.byId(id), { credits: 1 });
    t.match(await db.accounts.usage(id), { sources: 0 });
    t.equal((await look("select from source_bytes")).length, 0);
    await db.sources.create(id, fields, bytes, 0);
    t.match(await db.accounts.byId(id), { credits: 1 });
  });

  t.test("pages through a list, newest first", async (t) => {
    const { db } = await open(t);
    const { id } = await makeAccount(db);
    for (const name of ["a", "b", "c", "d", "e"]) {
      const { fields, bytes } = picture(name);
      await db.sources.create(id, fields, bytes, 0);
    }
    const first = await db.sources.list(id, { limit: 2 });
    const second = await db.sources.list(id, { limit: 2, before: first.next ?? 0 });
    const third = await db.sources.list(id, { limit: 2, before: second.next ?? 0 });
    t.same(
      [first, second, third].map((page) => page.rows.length),
      [2, 2, 1],
    );
    const ids = [first, second, third].flatMap((page) => page.rows.map((row) => row.id));
    t.same(
      ids,
      ids.toSorted((a, b) => b - a),
    );
    t.equal(third.next, null);
    t.equal((await db.sources.list(id, { limit: 5 })).next, null);
  });

  t.test("a source of another account is not found", async (t) => {
    const { db } = await open(t);
    const { id } = await makeAccount(db);
    const other = await makeAccount(db, 0, "other@example.org");
    const { fields, bytes } = picture("mine");
    const source = await db.sources.create(id, fields, bytes, 0);
    t.equal(await db.sources.get(other.id, source.id), null);
    t.same(await db.sources.list(other.id, { limit: 9 }), { rows: [], next: null });
    t.equal(await db.sources.delete(other.id, source.id), false);
    t.ok(await db.sources.get(id, source.id));
  });

  t.test("a source cannot be deleted while a pattern uses it", async (t) => {
    const { db } = await open(t);
    const { id } = await makeAccount(db);
    const { fields, bytes } = picture("used");
    const source = await db.sources.create(id, fields, bytes, 0);
    const pattern = await db.patterns.create(id, design(source.id), 0);
    await t.rejects(db.sources.delete(id, source.id), Conflict);
    t.ok(await db.sources.bytes(fields.sha256));
    await db.patterns.delete(id, pattern?.id ?? 0);
    t.equal(await db.sources.delete(id, source.id), true);
    t.equal(await db.sources.delete(id, source.id), false);
  });
}
