import t, { type Test } from "tap";
import { openDatabase } from "../../../db/index.ts";
import { createAccount } from "../../../server/actions/accounts.ts";
import { createApiKey } from "../../../server/actions/api-keys.ts";
import { testDatabaseUrl } from "../../helpers/database.ts";
import { testServer } from "../../helpers/server.ts";
import { startService } from "../../helpers/service.ts";

/** Two processes on one database, with an account's key. */
async function twoServices(t: Test) {
  const DATABASE_URL = await testDatabaseUrl();
  const db = await openDatabase({ url: DATABASE_URL, dataDir: "" });
  t.teardown(() => db.close());
  const account = await createAccount(db, { email: "a@example.com", plan: "pro" });
  const { key, secret } = await createApiKey(db, account.id, "test");
  const services = [
    await startService(t, { DATABASE_URL }),
    await startService(t, { DATABASE_URL }),
  ];
  const urls = await Promise.all(services.map((service) => service.url()));
  const call = (at: number) =>
    fetch(`${urls[at % 2]}/api/v1/groups`, { headers: { "X-API-Key": secret } });
  return { db, account, key, call };
}

t.test("a key's limit and its reset apply across processes", async (t) => {
  const { db, account, key, call } = await twoServices(t);
  const replies = await Promise.all(Array.from({ length: 140 }, (_, at) => call(at)));
  const statuses = replies.map(({ status }) => status);
  t.equal(statuses.filter((status) => status === 200).length, 120);
  t.equal(statuses.filter((status) => status === 429).length, 20);
  for (const at of [0, 1]) t.equal((await call(at)).status, 429, "wherever it asks");

  await db.apiKeys.revoke(account.id, key.id);
  for (const at of [0, 1]) t.equal((await call(at)).status, 401, "revoked on both at once");
});

t.test("every response has the remaining requests", async (t) => {
  const server = await testServer(t);
  const left = (headers: Headers) =>
    /^"requests";r=(\d+);t=\d+$/.exec(headers.get("RateLimit") ?? "");
  const first = await server.request("GET", "/groups");
  t.equal(first.headers.get("RateLimit-Policy"), '"requests";q=120;w=60');
  t.equal(left(first.headers)?.[1], "119");
  const missing = await server.request("GET", "/patterns/999");
  t.equal(left(missing.headers)?.[1], "118", "also an error");
  const nobody = await server.request("GET", "/groups", { as: null });
  t.equal(nobody.headers.get("RateLimit"), null);

  const quotas = { agency: 600, pro: 120, trial: 120 } as const;
  for (const [plan, quota] of Object.entries(quotas)) {
    const caller = await server.makeCaller({ plan: plan as keyof typeof quotas });
    const { headers } = await server.request("GET", "/groups", { as: caller });
    t.equal(headers.get("RateLimit-Policy"), `"requests";q=${quota};w=60`);
  }
  const person = { as: null, headers: { Authorization: `Bearer ${server.token}` } };
  const { headers } = await server.request("GET", "/groups", person);
  t.equal(headers.get("RateLimit-Policy"), '"requests";q=600;w=60');
  t.equal(left(headers)?.[1], "599", "a person is not counted with the keys");
});

t.test("rejects requests beyond the limit with Retry-After, before reading the body", async (t) => {
  const server = await testServer(t);
  for (let used = 0; used < 12; used++) {
    const replies = Array.from({ length: 10 }, () => server.request("GET", "/groups"));
    for (const { status } of await Promise.all(replies)) t.equal(status, 200);
  }
  const refused = await server.request("POST", "/patterns", { json: "nonsense" });
  t.match(refused.json, { status: 429, code: "rate_limited", detail: /120 requests/ });
  const seconds = Number(refused.headers.get("Retry-After"));
  t.ok(seconds >= 1 && seconds <= 60);
  t.match(refused.headers.get("RateLimit"), `"requests";r=0;t=${seconds}`);
  const other = await server.makeCaller({});
  t.equal((await server.request("GET", "/groups", { as: other })).status, 200);
});
