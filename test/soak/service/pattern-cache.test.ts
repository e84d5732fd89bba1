/** Patterns are cached in memory, yet every response reflects the database. */
import t, { type Test } from "tap";
import { openDatabase } from "../../../db/index.ts";
import { createAccount } from "../../../server/actions/accounts.ts";
import { createApiKey } from "../../../server/actions/api-keys.ts";
import { testDatabaseUrl } from "../../helpers/database.ts";
import { etagOf, testServer } from "../../helpers/server.ts";
import { startService } from "../../helpers/service.ts";

const DATABASE_URL = await testDatabaseUrl();
const db = await openDatabase({ url: DATABASE_URL, dataDir: "" });
t.teardown(() => db.close());
const services = await Promise.all([1, 2].map(() => startService(t, { DATABASE_URL })));
const urls = await Promise.all(services.map((service) => service.url()));

let accounts = 0;

async function makeCaller() {
  accounts++;
  const fields = { email: `${accounts}@example.com`, plan: "pro" } as const;
  const account = await createAccount(db, fields);
  const { key, secret } = await createApiKey(db, account.id, "test");
  const ask = (at: number, method: string, path: string, json?: object, tag = "") =>
    fetch(`${urls[at]}/api/v1${path}`, {
      method,
      headers: {
        "X-API-Key": secret,
        "Content-Type": "application/json",
        ...(tag && { "If-None-Match": tag }),
      },
      body: json ? JSON.stringify(json) : null,
    });
  return { account, key, ask };
}

/** A caller with a pattern that both processes have rendered. */
async function withPattern(t: Test) {
  const caller = await makeCaller();
  const { ask } = caller;
  const source = await (await ask(0, "POST", "/sources/presets", { preset: "floral" })).json();
  const made = await ask(0, "POST", "/patterns", { source_id: source.id, group: "p2" });
  const { id } = await made.json();
  const path = `/patterns/${id}/render?size=16`;
  const render = (at: number, tag = "") => ask(at, "GET", path, undefined, tag);
  const first = await Promise.all([0, 1].map((at) => render(at)));
  const tags = first.map(etagOf);
  t.equal(tags[0], tags[1]);
  return { ...caller, id, path, tag: tags[0], render };
}

t.test("a change by one process is visible to the other at once", async (t) => {
  const { id, tag, ask, render } = await withPattern(t);
  for (const at of [0, 1]) t.equal((await render(at, tag)).status, 304);
  let last = tag;
  for (const at of [0, 1, 0, 1]) {
    const json = { motif: { x: 0.1 + at / 10, rotation: at } };
    t.equal((await ask(at, "PATCH", `/patterns/${id}`, json)).status, 200);
    const elsewhere = await render(1 - at, last);
    t.equal(elsewhere.status, 200);
    last = etagOf(elsewhere);
    t.equal((await render(at, last)).status, 304, "and the same to the first");
  }
  t.equal((await ask(0, "DELETE", `/patterns/${id}`)).status, 204);
  for (const at of [0, 1]) t.equal((await render(at, last)).status, 404);
});

t.test("another account's cached picture is not found", async (t) => {
  const { tag, path, render } = await withPattern(t);
  const stranger = await makeCaller();
  for (const at of [0, 1]) {
    t.equal((await stranger.ask(at, "GET", path)).status, 404);
    const known = await stranger.ask(at, "GET", path, undefined, tag);
    t.equal(known.status, 404, "nor is it unchanged");
    t.equal((await render(at, tag)).status, 304);
  }
});

t.test("freezing, a plan change and revocation take effect at once", async (t) => {
  const { account, key, tag, render } = await withPattern(t);
  const statuses = async () => {
    const replies = await Promise.all([0, 1].map((at) => render(at, tag)));
    return replies.map(({ status }) => status);
  };
  t.same(await statuses(), [304, 304]);
  await db.accounts.update(account.id, { frozen: true });
  t.same(await statuses(), [402, 402]);
  await db.accounts.update(account.id, { frozen: false, plan: "starter" });
  t.same(await statuses(), [403, 403]);
  await db.accounts.update(account.id, { plan: "agency" });
  t.same(await statuses(), [304, 304]);
  await db.apiKeys.revoke(account.id, key.id);
  t.same(await statuses(), [401, 401]);
});

t.test("a guest does not get the account's cached renders", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const path = `/patterns/${id}/render?size=16`;
  const tag = etagOf(await server.request("GET", path));
  const handoff = await server.request("POST", "/embed/handoff", {
    json: { product_id: 1, return_url: "https://shop.example/back" },
  });
  const token = new URL(handoff.json.editor_url).searchParams.get("handoff");
  const session = await server.request("POST", "/embed/sessions", {
    as: null,
    json: { handoff: token },
  });
  const headers = { Authorization: `Bearer ${session.json.token}`, "If-None-Match": tag };
  t.equal((await server.request("GET", path, { as: null, headers })).status, 404);
  const own = { headers: { "If-None-Match": tag } };
  t.equal((await server.request("GET", path, own)).status, 304);
});
