/** `orbifold storage move` */
import t from "tap";
import { openDatabase } from "../../db/index.ts";
import { makeAccount, picture } from "../db/contract/fixtures.ts";
import { answer, orbifold, prepare } from "../helpers/command-line.ts";
import { objectServer } from "../helpers/object-store.ts";

t.test("moves bytes to the object store and back", async (t) => {
  const server = await objectServer(t);
  const plain = await prepare(t);
  const env = { ...plain, OBJECT_STORE_URL: server.url };
  const db = await openDatabase({ url: plain.DATABASE_URL ?? "", dataDir: "" });
  const { id } = await makeAccount(db);
  const { fields, bytes } = picture("one");
  await db.sources.create(id, fields, bytes, 0);
  await db.close();
  const there = await orbifold(env, "storage", "move", "--to", "s3");
  t.match(there, {
    code: 0,
    stdout: "moved to s3: 1 sources, 0 mockups, 0 exports\n",
    stderr: /sources: 1 of 1\n/,
  });
  const [key = ""] = await server.keys();
  t.match(key, new RegExp(`/sources/${fields.sha256}/`));

  await server.corrupt(key);
  const damaged = await orbifold(env, "storage", "move", "--to", "database");
  t.match(damaged, { code: 1, stderr: new RegExp(`not moved: the picture ${fields.sha256}\n$`) });
  await server.corrupt(key);
  const moved = await answer(t, env, "storage", "move", "--to", "database");
  t.same(moved, { to: "database", moved: { sources: 1, mockups: 0, exports: 0 } });
  t.same(await server.keys(), []);

  await server.stop();
  t.match(await orbifold(env, "accounts", "list"), { code: 0 }, "other commands do without it");
  const none = await orbifold(plain, "storage", "move", "--to", "s3");
  t.match(none, { code: 1, stderr: /OBJECT_STORE_URL: expected an object store/ });
});
