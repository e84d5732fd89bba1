/** When a node is killed, another makes its export, with the same bytes. */
import t from "tap";
import { openSession } from "../../db/connection/pool.ts";
import { openDatabase } from "../../db/index.ts";
import { createAccount } from "../../server/actions/accounts.ts";
import { createApiKey } from "../../server/actions/api-keys.ts";
import { testDatabaseUrl } from "../helpers/database.ts";
import { until } from "../helpers/jobs.ts";
import { startService } from "../helpers/service.ts";

/** A node is looked for every 15 seconds; the rest is for slow machines. */
const TIMEOUT_MS = 240_000;

/** Takes seconds to make. */
const ORDER = {
  width_mm: 700,
  height_mm: 500,
  dpi: 100,
  format: "tiff",
  surface_effects: [{ id: "grain" }, { id: "emboss" }],
};

t.test("another node takes over the export of a killed one", { timeout: TIMEOUT_MS }, async (t) => {
  const DATABASE_URL = await testDatabaseUrl();
  const db = await openDatabase({ url: DATABASE_URL, dataDir: "" });
  t.teardown(() => db.close());
  const account = await createAccount(db, { email: "print@example.com", plan: "agency" });
  const { secret: key } = await createApiKey(db, account.id, "printer");
  const call = async (api: string, path: string, body: object) => {
    const response = await fetch(`${api}/api/v1${path}`, {
      method: "POST",
      headers: { "X-API-Key": key, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const first = await startService(t, { DATABASE_URL });
  const api = await first.url();
  const source = await call(api, "/sources/presets", { preset: "floral", seed: 3 });
  const pattern = await call(api, "/patterns", { source_id: source.id, group: "p3" });
  const killed = (await call(api, `/patterns/${pattern.id}/export`, ORDER)).export_id;
  const look = (id: number) => db.exports.get(account.id, id);
  await until(async () => ((await look(killed))?.progress ?? 0) > 0);
  first.process.kill("SIGKILL");
  await first.ended;
  t.equal((await look(killed))?.status, "running");
  // It counts as dead after 20 seconds without a sign of life.
  const session = await openSession(DATABASE_URL);
  const { rowCount } = await session.query(`
      update pgboss.job set heartbeat_on = heartbeat_on - interval '20 seconds'
      where state = 'active' and name = 'make_export'`);
  t.equal(rowCount, 1);
  await session.end();

  const second = await startService(t, { DATABASE_URL });
  const order = await call(await second.url(), `/patterns/${pattern.id}/export`, ORDER);
  const undisturbed = order.export_id;
  const isDone = async (id: number) => (await look(id))?.status === "done";
  await until(async () => (await isDone(undisturbed)) && (await isDone(killed)));
  t.equal((await look(killed))?.sha256, (await look(undisturbed))?.sha256);
  t.equal((await look(killed))?.bytes, (await look(undisturbed))?.bytes);
});
