/** Moving bytes between the database and the object store, while both are in use. */
import t, { type Test } from "tap";
import { type ObjectStore, openDatabase, type StoragePlace } from "../../db/index.ts";
import { makeAccount, picture } from "./contract/fixtures.ts";
import { areIntact, CHUNKS, kindsOf, makeAll, STORED, withStore } from "./stored-bytes.ts";

const quietly = { signal: new AbortController().signal, onProgress: () => undefined };

const EVERYWHERE_ELSE = { chunks: 0, sources: 0, mockups: 0 };

/** Three accounts with bytes, whose ids are returned with what they have. */
async function withBytes(t: Test) {
  const opened = await withStore(t);
  const { db, url } = opened;
  const plain = await openDatabase({ url, dataDir: "" });
  t.teardown(() => plain.close());
  const makeIn = async (place: StoragePlace, name: string) => {
    const { id } = await makeAccount(db, 0, `${name}@example.org`);
    return { id, ...(await makeAll(place === "s3" ? db : plain, id, name)) };
  };
  return { ...opened, makeIn };
}

t.test("all bytes are moved to the store, and back", async (t) => {
  const { server, db, look, makeIn } = await withBytes(t);
  const all = [await makeIn("database", "one"), await makeIn("database", "two")];
  all.push(await makeIn("s3", "three"));
  const progress: string[] = [];
  const moved = await db.moveBytes("s3", {
    ...quietly,
    onProgress: ({ kind, moved, total }) => progress.push(`${kind} ${moved}/${total}`),
  });
  t.same(moved, { moved: { sources: 2, mockups: 2, exports: 2 }, damaged: [] });
  const kinds = ["sources", "mockups", "exports"];
  t.same(
    progress,
    kinds.flatMap((kind) => [`${kind} 1/2`, `${kind} 2/2`]),
  );
  t.same(await look(STORED), [EVERYWHERE_ELSE]);
  for (const made of all) t.ok(await areIntact(db, made.id, made));
  t.same((await db.moveBytes("s3", quietly)).moved, { sources: 0, mockups: 0, exports: 0 });

  t.same(await db.moveBytes("database", quietly), {
    moved: { sources: 3, mockups: 3, exports: 3 },
    damaged: [],
  });
  t.same(await look(STORED), [{ chunks: 3 * CHUNKS, sources: 3, mockups: 3 }]);
  t.equal((await server.keys()).length, 9, "objects go later");
  await db.deleteRemoved({ graceMs: 0 });
  t.same(await server.keys(), []);
  for (const made of all) t.ok(await areIntact(db, made.id, made));
});

t.test("more rows than a page are moved, and damaged ones are named once", async (t) => {
  const { server, db, look, url } = await withStore(t);
  const { id } = await makeAccount(db);
  const plain = await openDatabase({ url, dataDir: "" });
  t.teardown(() => plain.close());
  for (let number = 0; number < 205; number++) {
    const { fields, bytes } = picture(`picture ${number}`);
    await plain.sources.create(id, fields, bytes, 0);
  }
  const { sha256 } = picture("picture 7").fields;
  await look(
    `update source_bytes set bytes = bytes || '!' where encode(sha256, 'hex') = '${sha256}'`,
  );
  t.same(await db.moveBytes("s3", quietly), {
    moved: { sources: 204, mockups: 0, exports: 0 },
    damaged: [`the picture ${sha256}`],
  });
  t.equal((await server.keys()).length, 204);
});

t.test("an interrupted move goes on where it was", async (t) => {
  const { server, db, url, look, makeIn } = await withBytes(t);
  const all = [await makeIn("s3", "one"), await makeIn("s3", "two"), await makeIn("s3", "three")];
  /** Moves everything, but is stopped when a file is read or written for the second time. */
  const interrupt = async (to: StoragePlace) => {
    const stop = new AbortController();
    let calls = 0;
    const count = (key: string) => {
      if (key.includes("/exports/") && ++calls === 2) stop.abort(new Error("stopped"));
    };
    const store: ObjectStore = {
      ...server.store,
      get: (key, range) => {
        if (to === "database") count(key);
        return server.store.get(key, range);
      },
      put: (key, body, signal) => {
        count(key);
        return server.store.put(key, body, signal);
      },
    };
    const other = await openDatabase({ url, dataDir: "", objects: { ...server.objects, store } });
    t.teardown(() => other.close());
    const moving = other.moveBytes(to, { ...quietly, signal: stop.signal });
    await t.rejects(moving, { message: "stopped" });
  };
  await interrupt("database");
  const chunks = Number((await look(STORED))[0]?.chunks);
  t.ok(chunks > 0 && chunks < 3 * CHUNKS, `${chunks} chunks are moved`);
  for (const made of all) t.ok(await areIntact(db, made.id, made));
  await db.moveBytes("s3", quietly);
  t.same(await look(STORED), [EVERYWHERE_ELSE], "a move in the other direction leaves nothing");
  for (const made of all) t.ok(await areIntact(db, made.id, made));
  await server.stop();
  await t.rejects(db.moveBytes("database", quietly), { code: "unavailable" });
  await server.start();
  await db.moveBytes("database", quietly);
  t.same(await look(STORED), [{ chunks: 3 * CHUNKS, sources: 3, mockups: 3 }]);
  await db.deleteRemoved({ graceMs: 0 });
  t.same(await server.keys(), []);

  await interrupt("s3");
  for (const made of all) t.ok(await areIntact(db, made.id, made));
  await db.moveBytes("s3", quietly);
  t.same(await look(STORED), [EVERYWHERE_ELSE]);
  await db.deleteOrphans({ graceMs: 0 });
  t.equal((await server.keys()).length, 9);
  for (const made of all) t.ok(await areIntact(db, made.id, made));
});

t.test("reads and writes go on during moves in both directions", async (t) => {
  const { server, db, look, makeIn } = await withBytes(t);
  const all = [await makeIn("database", "one"), await makeIn("database", "two")];
  let isMoving = true;
  let reads = 0;
  const reader = async (first: number) => {
    for (let at = first; isMoving; at++) {
      const made = all[at % all.length];
      if (made && !(await areIntact(db, made.id, made))) throw new Error("bytes differ");
      reads++;
    }
  };
  const writer = async () => {
    for (let round = 0; isMoving && round < 2; round++) {
      all.push(await makeIn(round % 2 ? "s3" : "database", `round${round}`));
      const gone = await makeIn("database", `gone${round}`);
      await db.accounts.delete(gone.id);
    }
  };
  const mover = async () => {
    for (const to of ["s3", "database", "s3"] as const) {
      t.same((await db.moveBytes(to, quietly)).damaged, []);
      await db.deleteRemoved({ graceMs: 0 });
    }
    isMoving = false;
  };
  await Promise.all([mover(), reader(0), reader(1), writer()]);
  t.ok(reads > 2, `${reads} reads`);
  await db.moveBytes("s3", quietly);
  await db.deleteRemoved({ graceMs: 0 });
  t.same(await look(STORED), [EVERYWHERE_ELSE]);
  for (const made of all) t.ok(await areIntact(db, made.id, made));
  await db.deleteOrphans({ graceMs: 0 });
  t.equal((await server.keys()).length, 3 * all.length);
});

t.test("damaged bytes stay where they are, and are named", async (t) => {
  const { server, db, look, makeIn } = await withBytes(t);
  const one = await makeIn("s3", "one");
  await makeIn("database", "two");
  for (const key of await server.keys()) await server.corrupt(key);
  const back = await db.moveBytes("database", quietly);
  t.same(back.moved, { sources: 0, mockups: 0, exports: 0 });
  t.same(back.damaged, [
    `the picture ${one.sha256}`,
    `mockup ${one.mockup.id}`,
    `export ${one.exportId}`,
  ]);
  t.same(await kindsOf(server), ["exports", "mockups", "sources"]);
  await look(`update source_bytes set bytes = bytes || '!' where bytes is not null`);
  await look(`update mockups set image = image || '!' where image is not null`);
  await look(
    `update export_chunks set content = content || '!' where number = 3 and content is not null`,
  );
  const there = await db.moveBytes("s3", quietly);
  t.same(there.moved, { sources: 0, mockups: 0, exports: 1 }, "pieces of the first are cleared");
  t.equal(there.damaged.length, 3);
  t.same(await look(STORED), [{ chunks: CHUNKS, sources: 1, mockups: 1 }]);
});

/** A store that changes what is read of one kind of objects. */
const faulty = (store: ObjectStore, kind: string): ObjectStore => ({
  ...store,
  get: async (key, range) => {
    const bytes = await store.get(key, range);
    if (bytes && key.includes(`/${kind}/`)) bytes[0] = (bytes[0] ?? 0) ^ 1;
    return bytes;
  },
});

for (const kind of ["sources", "mockups", "exports"]) {
  t.test(`a store that changes ${kind} ends a move`, async (t) => {
    const { server, db, url, makeIn } = await withBytes(t);
    const made = await makeIn("database", "one");
    const store = faulty(server.store, kind);
    const other = await openDatabase({ url, dataDir: "", objects: { ...server.objects, store } });
    t.teardown(() => other.close());
    await t.rejects(other.moveBytes("s3", quietly), {
      code: "unavailable",
      message: "the object store returned other bytes than it was given",
    });
    t.notOk((await kindsOf(server)).includes(kind), "the copy is discarded");
    t.ok(await areIntact(db, made.id, made));
  });
}

t.test("an export that is deleted while it is moved leaves no object", async (t) => {
  const { server, db, url, makeIn } = await withBytes(t);
  const made = await makeIn("database", "one");
  const store: ObjectStore = {
    ...server.store,
    put: async (key, body, signal) => {
      await server.store.put(key, body, signal);
      if (key.includes("/exports/")) await db.exports.delete(made.id, made.exportId);
    },
  };
  const other = await openDatabase({ url, dataDir: "", objects: { ...server.objects, store } });
  t.teardown(() => other.close());
  t.match(await other.moveBytes("s3", quietly), { moved: { exports: 0 }, damaged: [] });
  t.same(await kindsOf(server), ["mockups", "sources"]);
});

t.test("mockups that are older than the store keep the length of their picture", async (t) => {
  const { db, look, makeIn } = await withBytes(t);
  const made = await makeIn("database", "one");
  await look("update mockups set image_bytes = null");
  await db.moveBytes("s3", quietly);
  t.same(await look("select image_bytes::int from mockups"), [{ image_bytes: made.image.length }]);
});
