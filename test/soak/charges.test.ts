import t from "tap";
import { openSession } from "../../db/connection/pool.ts";
import { openDatabase } from "../../db/index.ts";
import { createAccount } from "../../server/actions/accounts.ts";
import { createApiKey } from "../../server/actions/api-keys.ts";
import { testDatabaseUrl } from "../helpers/database.ts";
import { testServer } from "../helpers/server.ts";
import { startService } from "../helpers/service.ts";

/** `ROUNDS=20` for a long run. */
const ROUNDS = Number(process.env.ROUNDS ?? 1);
const LIVES = Math.min(4, 1 + ROUNDS);

t.test(
  "with fifty credits, exactly fifty of two hundred concurrent creations succeed",
  async (t) => {
    const server = await testServer(t);
    for (let run = 0; run < ROUNDS; run++) {
      const caller = await server.makeCaller({ plan: "agency", credits: 51 });
      const preset = { as: caller, json: { preset: "stripes", seed: run } };
      const source_id = (await server.request("POST", "/sources/presets", preset)).json.id;
      const pattern = { as: caller, json: { source_id, group: "p4" } };
      const replies = await Promise.all(
        Array.from({ length: 200 }, () => server.request("POST", "/patterns", pattern)),
      );
      const made = replies.filter(({ status }) => status === 201);
      const refused = replies.filter(({ status }) => status === 402);
      t.same([made.length, refused.length], [50, 150], `run ${run + 1}`);
      t.equal(refused[0]?.json.code, "credits_exhausted");
      const { entries } = server.db.credits;
      const { rows } = await entries(caller.account.id, { limit: 100 });
      t.equal(
        rows.reduce((sum, { amount }) => sum + amount, 0),
        0,
        "the ledger adds up",
      );
      t.equal(rows.at(0)?.balance_after, 0);
      t.same(
        new Set(rows.flatMap(({ reason, reference }) => (reason === "pattern" ? [reference] : []))),
        new Set(made.map(({ json }) => `pattern:${json.id}`)),
        "what was paid for is what was made",
      );
    }
  },
);

t.test("a killed service has charged for exactly what it created", async (t) => {
  const DATABASE_URL = await testDatabaseUrl();
  const db = await openDatabase({ url: DATABASE_URL, dataDir: "" });
  const account = await createAccount(db, { email: "a@example.com", plan: "agency", credits: 500 });
  const { secret } = await createApiKey(db, account.id, "test");
  await db.close();
  const session = await openSession(DATABASE_URL);
  t.teardown(() => session.end());
  const headers = { "X-API-Key": secret, "Content-Type": "application/json" };
  const post = async (url: string, path: string, json: object, key = "") => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: "POST",
      headers: { ...headers, ...(key && { "Idempotency-Key": key }) },
      body: JSON.stringify(json),
    });
    return { status: response.status, json: await response.json() };
  };

  let source_id = 0;
  let sent = 0;
  const lost: string[] = [];
  for (let life = 0; life < LIVES; life++) {
    const service = await startService(t, { DATABASE_URL });
    const url = await service.url();
    if (life === 0) {
      const preset = { preset: "stripes", seed: 1 };
      source_id = (await post(url, "/sources/presets", preset)).json.id;
    }
    const pattern = { source_id, group: "p2" };
    const creates = Array.from({ length: 60 }, () => {
      const key = `create-${sent++}`;
      return post(url, "/patterns", pattern, key).catch(() => lost.push(key));
    });
    // In the middle of them.
    await Promise.any(creates);
    service.process.kill("SIGKILL");
    await Promise.all(creates);
  }
  t.ok(lost.length > 0, "some were cut off");
  const count = async () => {
    const { rows } = await session.query(`
      select (select count(*)::int from patterns) as made,
        (select count(*)::int from credit_entries where reason = 'pattern') as charged,
        (select credits::int from accounts) as left,
        (select sum(amount)::int from credit_entries) as ledger,
        (select count(*)::int from idempotent_calls where answer is not null) as answered`);
    return rows[0];
  };
  // PostgreSQL ends the transactions of a killed client when it notices the closed connection.
  while (
    (
      await session.query(
        "select 1 from pg_stat_activity where xact_start < now() and datname = current_database() and pid <> pg_backend_pid()",
      )
    ).rowCount
  ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { made, charged, left, ledger, answered } = await count();
  t.equal(charged, made);
  t.equal(left, 499 - made);
  t.equal(ledger, left);
  t.equal(answered, made, "exactly the created ones have a stored response");

  // Repeating the requests yields one pattern for each key.
  const service = await startService(t, { DATABASE_URL });
  const url = await service.url();
  for (const key of lost) {
    t.equal((await post(url, "/patterns", { source_id, group: "p2" }, key)).status, 201);
  }
  t.match(await count(), { made: sent, charged: sent, left: 499 - sent });
});
