/** Two nodes with folders of their own and one object store: what one has rendered, the other sends. */
import t from "tap";
import { openDatabase } from "../../../db/index.ts";
import { createAccount } from "../../../server/actions/accounts.ts";
import { createApiKey } from "../../../server/actions/api-keys.ts";
import { testDatabaseUrl } from "../../helpers/database.ts";
import { until } from "../../helpers/jobs.ts";
import { objectServer } from "../../helpers/object-store.ts";
import { startService } from "../../helpers/service.ts";

/** The magic number of the cache's files. */
const END = "orbifold picture 3";

const HIT = /^cache;desc="hit"/;

t.test("a tile and a large sheet are rendered by one of two nodes", async (t) => {
  const store = await objectServer(t);
  const DATABASE_URL = await testDatabaseUrl();
  const db = await openDatabase({ url: DATABASE_URL, dataDir: "" });
  t.teardown(() => db.close());
  const { id } = await createAccount(db, { email: "owner@example.com", plan: "pro" });
  const { secret } = await createApiKey(db, id, "test");
  const env = { DATABASE_URL, OBJECT_STORE_URL: store.url, SHARED_RENDERS_DAYS: "1" };
  const nodes = await Promise.all([1, 2].map(() => startService(t, env)));
  const urls = await Promise.all(nodes.map((node) => node.url()));
  const send = async (at: number, path: string, json: object) => {
    const response = await fetch(`${urls[at]}/api/v1${path}`, {
      method: "POST",
      headers: { "X-API-Key": secret, "Content-Type": "application/json" },
      body: JSON.stringify(json),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    t.ok(response.ok, `${path}: ${response.status}`);
    return { bytes, timing: response.headers.get("Server-Timing") ?? "" };
  };
  const made = async (path: string, json: object) =>
    JSON.parse((await send(0, path, json)).bytes.toString());
  const source = await made("/sources/presets", { preset: "floral", seed: 1 });
  const pattern = await made("/patterns", { source_id: source.id, group: "p2" });
  const path = `/patterns/${pattern.id}/render`;
  /** The keys of the pictures that are stored to their last bytes. */
  const shared = async () => {
    const keys = (await store.keys()).filter((key) => key.startsWith("renders/"));
    const objects = await Promise.all(keys.map((key) => store.store.get(key)));
    const isWhole = (bytes: Uint8Array | null) => Buffer.from(bytes ?? []).includes(END);
    return keys.filter((_, index) => isWhole(objects[index]));
  };
  const sheet = { mode: "surface", surface_width: 4400, surface_height: 4000 };
  let stored = 0;
  /** Renders pictures on one node until the other finds one: on a busy machine the store may be too slow. */
  const isFound = async (renderOf: (count: number) => object) => {
    for (let count = 0; count < 20; count++) {
      const first = await send(0, path, renderOf(count));
      t.notMatch(first.timing, HIT);
      stored++;
      await until(async () => (await shared()).length === stored);
      const second = await send(1, path, renderOf(count));
      t.ok(second.bytes.equals(first.bytes));
      if (HIT.test(second.timing)) return true;
    }
    return false;
  };
  t.ok(await isFound((count) => ({ size: 1024 + count })), "a tile");
  t.ok(await isFound((count) => ({ ...sheet, surface_width: 4400 + count })), "a sheet");
  // This node has the source from here on.
  await send(1, path, { size: 64 });
  t.equal((await shared()).length, stored, "what is rendered quickly is not shared");
  await store.stop();
  t.notMatch((await send(1, path, { size: 1000 })).timing, HIT, "rendered without the store");
});
