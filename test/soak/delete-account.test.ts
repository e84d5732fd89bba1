/** Deleting an account deletes all of its data, and nothing of other accounts. */
import t from "tap";
import { createAccount } from "../../server/actions/accounts.ts";
import { createApiKey } from "../../server/actions/api-keys.ts";
import { answer, orbifold } from "../helpers/command-line.ts";
import { until } from "../helpers/jobs.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { startService } from "../helpers/service.ts";
import { receiver } from "../helpers/webhooks.ts";
import { keyedDatabase } from "../mcp/keyed-database.ts";

t.test("deleting an account deletes all its data, and no other's", async (t) => {
  const { db, account, query, DATABASE_URL, SERVICE_API_KEY } = await keyedDatabase(t, "agency");
  const other = await createAccount(db, { email: "b@example.com", plan: "pro" });
  const { secret: otherKey } = await createApiKey(db, other.id, "test");
  const target = await receiver(t);
  const service = await startService(t, { DATABASE_URL, OUTBOUND_ALLOW: "127.0.0.0/8" });
  const api = `${await service.url()}/api/v1`;
  const call = async (path: string, json: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${api}${path}`, {
      method: "POST",
      headers: { "X-API-Key": SERVICE_API_KEY, "Content-Type": "application/json", ...headers },
      body: JSON.stringify(json),
    });
    t.ok(response.status < 300, `${path}: ${response.status}`);
    return await response.json();
  };

  // A picture that both accounts have, and one of this account alone.
  const data = Buffer.from(pngOf(photograph(64, 64))).toString("base64");
  const shared = await call("/sources/upload", { data });
  await call("/sources/upload", { data }, { "X-API-Key": otherKey });
  await call("/sources/presets", { preset: "polka", seed: 1 });
  await call("/webhooks", { url: target.url, events: ["pattern.created"] });
  const pattern = await call(
    "/patterns",
    { source_id: shared.id, group: "p4" },
    { "Idempotency-Key": "order-1" },
  );
  await call(`/patterns/${pattern.id}/render-url`, { size: 64 });
  const print = { width_mm: 20, height_mm: 20, dpi: 72, format: "png" };
  await call(`/patterns/${pattern.id}/export`, print);
  await call(`/patterns/${pattern.id}/mockups`, { products: ["mug"] });
  await call("/batches", { items: [{ pattern_id: pattern.id, size: 64 }] });
  const handoff = { product_id: 1, return_url: "https://shop.example/" };
  const { editor_url = "" } = await call("/embed/handoff", handoff);
  const token = new URL(editor_url).searchParams.get("handoff");
  const guest = await call("/embed/sessions", { handoff: token });
  const asGuest = { "X-API-Key": "", Authorization: `Bearer ${guest.token}` };
  const drawn = await call("/sources/presets", { preset: "polka", seed: 2 }, asGuest);
  const made = await call("/patterns", { source_id: drawn.id, group: "p2" }, asGuest);
  await call("/embed/finish", { pattern_id: made.id }, asGuest);
  const headers = { "X-API-Key": SERVICE_API_KEY };
  // A response that nothing refers to is collected, and its connection closed.
  const session = await fetch(`${api}/mcp/sse`, { headers });
  t.teardown(() => session.body?.cancel());

  const id = String(account.id);
  t.match(await answer(t, { DATABASE_URL }, "webhooks", "list", "--account", id), [
    { url: target.url, events: ["pattern.created"] },
  ]);
  await until(async () => (await db.listJobs({ limit: 9 })).length === 0);
  const jobs = await answer(t, { DATABASE_URL }, "jobs", "list", "--state", "completed");
  t.same(jobs.map(({ queue }: { queue: string }) => queue).toSorted(), [
    "deliver_webhook",
    "deliver_webhook",
    "draw_mockups",
    "make_export",
    "render_batch",
  ]);

  const tables = await query(`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'account_id' order by 1`);
  const holding = async (accountId: number) => {
    const counts = await Promise.all(
      tables.map(async ({ name }) => {
        const where = `where account_id = ${accountId}`;
        return { name, rows: await query(`select from ${name} ${where}`) };
      }),
    );
    return counts.filter(({ rows }) => rows.length > 0).map(({ name }) => name);
  };
  const filled = await holding(account.id);
  for (const name of [
    "batches",
    "deliveries",
    "exports",
    "handoffs",
    "idempotent_calls",
    "mcp_sessions",
  ]) {
    t.ok(filled.includes(name), `${name} hold something to delete`);
  }
  const ofOther = await holding(other.id);
  t.equal((await query("select from source_bytes")).length, 3);

  const deleted = await answer(t, { DATABASE_URL }, "accounts", "delete", id, "--yes");
  t.same(deleted, { id: account.id, deleted: true });
  t.same(await holding(account.id), []);
  t.same(await holding(other.id), ofOther);
  t.equal((await query("select from source_bytes")).length, 1, "the shared picture stays");
  t.match(await answer(t, { DATABASE_URL }, "accounts", "list"), [{ id: other.id }]);
  t.equal((await fetch(`${api}/account`, { headers })).status, 401);
  const again = await orbifold({ DATABASE_URL }, "accounts", "delete", id, "--yes");
  t.match(again, { code: 1, stderr: `orbifold: there is no account ${id}\n` });
});
