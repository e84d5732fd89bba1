/** Rows whose bytes are in an object store, and what becomes of the objects. */
import { hash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import t from "tap";
import { type ObjectStore, ObjectStoreUnavailable, openDatabase } from "../../db/index.ts";
import { readChunks } from "../../db/queries/object-chunks.ts";
import { design, makeAccount, picture } from "./contract/fixtures.ts";
import { areIntact, CHUNKS, kindsOf, makeAll, STORED, withStore } from "./stored-bytes.ts";

t.test("bytes are in the store and not in the database, and count as ever", async (t) => {
  const { server, db, look } = await withStore(t);
  const { id } = await makeAccount(db);
  const made = await makeAll(db, id);
  t.same(await look(STORED), [{ chunks: 0, sources: 0, mockups: 0 }]);
  t.same(await kindsOf(server), ["exports", "mockups", "sources"]);
  t.ok(await areIntact(db, id, made));
  t.match(await db.accounts.usage(id), {
    source_bytes: made.source.length,
    output_bytes: made.file.length + made.image.length,
  });
});

t.test("what is deleted, replaced or expired leaves no objects", async (t) => {
  const { server, db, look } = await withStore(t);
  const { id } = await makeAccount(db);
  const other = await makeAccount(db, 0, "b@example.org");
  const made = await makeAll(db, id);
  const { fields, bytes } = picture("one");
  await db.sources.create(other.id, fields, bytes, 0);
  await db.deleteRemoved({ graceMs: 0 });
  t.same(await kindsOf(server), ["exports", "mockups", "sources"], "one object of each picture");
  await look(`update exports set expires_at = now() where id = ${made.exportId}`);
  await db.deleteExpired();
  await db.deleteRemoved({ graceMs: 0 });
  t.same(await kindsOf(server), ["mockups", "sources"]);
  await db.patterns.delete(id, made.pattern_id);
  await db.deleteRemoved({ graceMs: 0 });
  t.same(await kindsOf(server), ["sources"], "mockups go with their pattern");
  await db.accounts.delete(id);
  await db.deleteRemoved({ graceMs: 0 });
  t.same(await kindsOf(server), ["sources"], "another account has the picture");
  t.ok(await db.sources.bytes(fields.sha256));
  await db.accounts.delete(other.id);
  await db.deleteRemoved({ graceMs: 0 });
  t.same(await server.keys(), []);
  t.same(await look("select key from removed_objects"), []);
});

t.test("objects are deleted later if the store is away", async (t) => {
  const { server, db } = await withStore(t);
  const { id } = await makeAccount(db);
  await makeAll(db, id);
  await server.stop();
  t.equal(await db.accounts.delete(id), true);
  await t.rejects(db.deleteRemoved({ graceMs: 0 }), { code: "unavailable" });
  await server.start();
  await db.deleteRemoved({ graceMs: 0 });
  t.same(await server.keys(), []);
});

t.test("a job that ends does not wait for a store that hangs", async (t) => {
  const { server, db } = await withStore(t);
  const stop = new AbortController();
  server.freeze(true);
  const reason = { message: "the service stops" };
  const checks = [
    t.rejects(db.exports.openFile({ id: 1, run: 1 }, stop.signal), reason),
    t.rejects(db.mockups.checkWritable(stop.signal), reason),
  ];
  stop.abort(new Error(reason.message));
  await Promise.all(checks);
  server.freeze(false);
});

t.test("a picture that is uploaded again keeps its object, unless it is damaged", async (t) => {
  const { server, db, look, url } = await withStore(t);
  const { id } = await makeAccount(db);
  const { fields, bytes } = picture("one");
  const upload = () => db.sources.create(id, fields, bytes, 0);
  await upload();
  const keys = await server.keys();
  await upload();
  t.same(await server.keys(), keys);
  t.same(await look("select key from removed_objects"), []);

  const repairs = { corrupt: server.corrupt, delete: server.store.delete };
  for (const [name, damage] of Object.entries(repairs)) {
    const [{ object_key: key } = {}] = await look("select object_key from source_bytes");
    await damage(String(key));
    await upload();
    t.same(await look("select key from removed_objects"), [{ key }], name);
    t.same(Buffer.from((await db.sources.bytes(fields.sha256)) ?? ""), Buffer.from(bytes));
    await db.deleteRemoved({ graceMs: 0 });
  }

  const plain = await openDatabase({ url, dataDir: "" });
  t.teardown(() => plain.close());
  const other = picture("two");
  await plain.sources.create(id, other.fields, other.bytes, 0);
  await db.sources.create(id, other.fields, other.bytes, 0);
  t.equal((await server.keys()).length, 1, "bytes stay in the database until they are moved");
});

t.test("a picture that is deleted while it is uploaded again is stored", async (t) => {
  const { server, db, url } = await withStore(t);
  const { id } = await makeAccount(db);
  const { fields, bytes } = picture("one");
  const { id: first } = await db.sources.create(id, fields, bytes, 0);
  const store: ObjectStore = {
    ...server.store,
    get: async (key, range) => {
      const read = await server.store.get(key, range);
      await db.sources.delete(id, first);
      return read;
    },
  };
  const other = await openDatabase({ url, dataDir: "", objects: { ...server.objects, store } });
  t.teardown(() => other.close());
  await other.sources.create(id, fields, bytes, 0);
  await db.deleteRemoved({ graceMs: 0 });
  t.same(Buffer.from((await db.sources.bytes(fields.sha256)) ?? ""), Buffer.from(bytes));
});

t.test("objects of rows that are gone stay until a copy of the bucket is done", async (t) => {
  const { server, db, look } = await withStore(t);
  const { id } = await makeAccount(db);
  await makeAll(db, id);
  await db.accounts.delete(id);
  await db.deleteRemoved();
  t.equal(await db.deleteOrphans({ graceMs: 0 }), 0);
  t.same(await kindsOf(server), ["exports", "mockups", "sources"]);
  await look("update removed_objects set removed_at = removed_at - interval '1 day'");
  await db.deleteRemoved();
  t.same(await server.keys(), []);
});

t.test("an object that cannot be deleted keeps back no others", async (t) => {
  const { server, look, url, db: writer } = await withStore(t);
  const { id } = await makeAccount(writer);
  await makeAll(writer, id);
  await writer.accounts.delete(id);
  const [failing = ""] = await server.keys();
  const asked: string[] = [];
  let isAway = false;
  const store: ObjectStore = {
    ...server.store,
    delete: async (key) => {
      asked.push(key);
      if (key === failing || isAway) throw new ObjectStoreUnavailable("denied");
      await server.store.delete(key);
    },
    ping: async () => {
      if (isAway) throw new ObjectStoreUnavailable("away");
    },
  };
  const db = await openDatabase({ url, dataDir: "", objects: { ...server.objects, store } });
  t.teardown(() => db.close());
  await t.rejects(db.deleteRemoved({ graceMs: 0 }), { message: "denied" });
  t.same(await server.keys(), [failing]);
  t.same(await look("select key from removed_objects"), [{ key: failing }]);

  await look(`insert into removed_objects (key)
    select 'none' || number from generate_series(1, 600) as number`);
  isAway = true;
  asked.length = 0;
  await t.rejects(db.deleteRemoved({ graceMs: 0 }), { message: "denied" });
  t.ok(asked.length < 20, `${asked.length} are tried while the store is away`);
  t.notOk(asked.includes(failing), "it is the last");
  const { length } = asked;
  await delay(20);
  t.equal(asked.length, length, "nothing goes on");
  isAway = false;
  await t.rejects(db.deleteRemoved({ graceMs: 0 }), { message: "denied" });
  t.same(await look("select key from removed_objects"), [{ key: failing }]);
});

t.test("what the store changes is not taken for stored", async (t) => {
  const { server, url, db: writer } = await withStore(t);
  const { id } = await makeAccount(writer);
  const store: ObjectStore = {
    ...server.store,
    put: (key, body, signal) => {
      const given = body instanceof Uint8Array ? Buffer.from(body) : Buffer.alloc(0);
      return server.store.put(key, given.fill(0, 0, 1), signal);
    },
  };
  const db = await openDatabase({ url, dataDir: "", objects: { ...server.objects, store } });
  t.teardown(() => db.close());
  const other = { code: "unavailable", message: /returned other bytes/ };
  const { fields, bytes } = picture("one");
  await t.rejects(db.sources.create(id, fields, bytes, 0), other);
  const source = await writer.sources.create(id, fields, bytes, 0);
  const pattern = await db.patterns.create(id, design(source.id), 0);
  const wanted = [{ product: "mug", cell_mm: 40 }];
  const [mockup] = (await db.mockups.order(id, pattern?.id ?? 0, wanted, 1000)) ?? [];
  const image = Buffer.alloc(100, 1);
  await t.rejects(db.mockups.settle(mockup?.batch ?? "", mockup?.id ?? 0, { image }), other);
  t.equal((await db.mockups.get(id, mockup?.id ?? 0))?.status, "queued");
  t.same(await kindsOf(server), ["sources"]);
});

t.test("no empty range of an object is asked for", async (t) => {
  const get = () => {
    t.fail("the store is asked");
    return Promise.resolve(null);
  };
  const read = readChunks({ get }, "key", 3, [], 7);
  await t.rejects(read, { message: "export 7 is gone" });
});

t.test("a download holds a mebibyte", async (t) => {
  const { server, url } = await withStore(t);
  const lengths: number[] = [];
  const store: ObjectStore = {
    ...server.store,
    get: async (key, range) => {
      const bytes = await server.store.get(key, range);
      lengths.push(bytes?.byteLength ?? 0);
      return bytes;
    },
  };
  const db = await openDatabase({ url, dataDir: "", objects: { ...server.objects, store } });
  t.teardown(() => db.close());
  const { id } = await makeAccount(db);
  const made = await makeAll(db, id);
  lengths.length = 0;
  await Array.fromAsync(db.exports.read(made.exportId, 0, made.file.length - 1));
  t.equal(Math.max(...lengths), 2 ** 20);
});

t.test("the sweep deletes old orphans, and no objects of other databases", async (t) => {
  const { server, db, look } = await withStore(t);
  const { id } = await makeAccount(db);
  const made = await makeAll(db, id);
  const [own = ""] = await server.keys();
  const orphan = own.replace(/[^/]+$/, "orphan");
  await server.store.put(orphan, Buffer.from("of a process that died"));
  await server.store.put("0000000000000000/sources/ab/cd", Buffer.from("of another database"));
  t.equal(await db.deleteOrphans(), 0, "it may be about to get its row");
  t.equal(await db.deleteOrphans({ graceMs: 0 }), 1);
  t.same(await kindsOf(server), ["sources", "exports", "mockups", "sources"]);
  t.ok(await areIntact(db, id, made));
  await look("delete from removed_objects");
});

t.test("a store that is only read", async (t) => {
  const { server, db, look, url } = await withStore(t);
  const { id } = await makeAccount(db);
  const made = await makeAll(db, id);
  const reader = await openDatabase({
    url,
    dataDir: "",
    objects: { ...server.objects, isReadOnly: true },
  });
  t.teardown(() => reader.close());
  t.ok(await areIntact(reader, id, made));
  const later = await makeAll(reader, id, "two");
  t.same(await look(STORED), [{ chunks: CHUNKS, sources: 1, mockups: 1 }]);
  await reader.exports.delete(id, made.exportId);
  await reader.deleteRemoved({ graceMs: 0 });
  t.equal(await reader.deleteOrphans({ graceMs: 0 }), 0);
  t.equal((await server.keys()).length, 3);
  await makeAll(reader, id, "one");
  t.same((await look(STORED))[0]?.sources, 2, "what is stored again is in the database");
  t.ok(await areIntact(reader, id, later));
});

t.test("without its store a database says so", async (t) => {
  const { db, url } = await withStore(t);
  const { id } = await makeAccount(db);
  const made = await makeAll(db, id);
  const without = await openDatabase({ url, dataDir: "" });
  t.teardown(() => without.close());
  await t.rejects(without.sources.bytes(made.sha256), {
    code: "unavailable",
    message: "the bytes are in an object store, which is not configured",
  });
  t.equal(hash("sha256", (await db.sources.bytes(made.sha256)) ?? ""), made.sha256);
});
