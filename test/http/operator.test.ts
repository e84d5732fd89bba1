/** What operators see of all accounts, and do to them. */
import t, { type Test } from "tap";
import { setPassword } from "../../server/actions/accounts.ts";
import { bearer, beginSession, design } from "../helpers/guest-sessions.ts";
import { until } from "../helpers/jobs.ts";
import { type Caller, type ServerOptions, testServer } from "../helpers/server.ts";
import { LOOPBACK, receiver, subscribe } from "../helpers/webhooks.ts";

async function withOperator(t: Test, options: ServerOptions = {}) {
  const server = await testServer(t, options);
  const operator = await server.makeCaller({ role: "operator" });
  const as = (method: string, path: string, json?: object, token = operator.token) =>
    server.request(method, `/operator${path}`, bearer(token, json));
  return { server, operator, as };
}

const ofAccount = ({ account }: Caller) => `/accounts/${account.id}`;

t.test("rejects everyone but signed-in operators", async (t) => {
  const { server, operator, as } = await withOperator(t);
  const frozen = await server.makeCaller({ role: "operator", frozen: true });
  const { token: guest } = await beginSession(server);
  const path = ofAccount(server);
  for (const [method, place, json] of [
    ["GET", "/accounts"],
    ["GET", path],
    ["GET", "/accounts/999999"],
    ["PATCH", path, { plan: "agency" }],
    ["POST", `${path}/credits`, { amount: 5 }],
    ["GET", `${path}/credits`],
    ["GET", `${path}/credits/daily`],
    ["GET", "/actions"],
  ] as const) {
    const refused = async (options: object) => {
      const reply = await server.request(method, `/operator${place}`, {
        ...options,
        ...(json && { json }),
      });
      return [reply.status, reply.json.code];
    };
    t.same(await refused({ as: null }), [401, "unauthorized"], "without credentials");
    t.same(await refused({ as: server }), [401, "unauthorized"], "with an owner's key");
    t.same(await refused({ as: operator }), [401, "unauthorized"], "with an operator's key");
    t.same(await refused(bearer(guest)), [403, "guest_refused"], "a guest");
    t.same(await refused(bearer(server.token)), [403, "operator_required"], "an owner");
    t.same(await refused(bearer(frozen.token)), [402, "account_frozen"], "a frozen operator");
  }
  const { credits, plan } = server.account;
  t.match(await server.db.accounts.byId(server.account.id), { credits, plan }, "nothing is done");

  t.equal((await as("GET", "/accounts")).status, 200);
  await server.db.accounts.update(operator.account.id, { role: "owner" });
  t.equal((await as("GET", "/accounts")).status, 401, "another role revokes the tokens");
  const demoted = await server.makeToken(operator.account.id, 2);
  t.equal((await as("GET", "/accounts", undefined, demoted)).status, 403);
});

t.test("lists all accounts, page by page, and finds some of them", async (t) => {
  const { server, operator, as } = await withOperator(t);
  const pro = await server.makeCaller({ plan: "pro", frozen: true });
  const emails = async (query: string) => {
    const { json } = await as("GET", `/accounts?${query}`);
    return json.data.map(({ email }: { email: string }) => email);
  };
  const all = [pro, operator, server].map(({ account }) => account.email);
  t.same(await emails(""), all, "the newest first");
  t.same(await emails("plan=pro"), [pro.account.email]);
  t.same(await emails("frozen=true"), [pro.account.email]);
  t.same(await emails("frozen=false&plan=pro"), []);
  t.same(await emails(`search=${operator.account.email.toUpperCase()}`), [operator.account.email]);
  t.same(await emails("search=EXAMPLE.c"), all, "by a part of the address");
  t.same(await emails("search=%25"), [], "no pattern of SQL");
  const byId = await emails(`search=${server.account.id}`);
  t.ok(byId.includes(server.account.email), "by the id");

  const first = (await as("GET", "/accounts?limit=2")).json;
  t.equal(first.data.length, 2);
  const second = (await as("GET", `/accounts?limit=2&cursor=${first.next_cursor}`)).json;
  t.match(second, { data: [{ id: server.account.id }], next_cursor: null });
  t.equal((await as("GET", "/accounts?cursor=x")).status, 422);

  const { last_used_at: never } = (await as("GET", ofAccount(pro))).json;
  t.equal(never, null);
  await server.request("GET", "/account");
  const owner = (await as("GET", ofAccount(server))).json;
  t.match(owner, { role: "owner", usage: { api_keys: 1 }, limits: { patterns: 1000 } });
  t.ok(Date.now() - Date.parse(owner.last_used_at) < 60_000, "with a key");
  const own = (await as("GET", ofAccount(operator))).json;
  t.match(own, { role: "operator", email: operator.account.email });
  t.ok(Date.now() - Date.parse(own.last_used_at) < 60_000, "in a session");
  t.equal((await as("GET", "/accounts/999999")).status, 404);
});

t.test("adds and removes credits with a note, which the owner reads", async (t) => {
  const { server, operator, as } = await withOperator(t);
  const { credits } = server.account;
  const path = `${ofAccount(server)}/credits`;
  const added = await as("POST", path, { amount: 50, note: "Refund of order 81" });
  t.match(added.json, { id: server.account.id, credits: credits + 50 });
  t.equal((await as("POST", path, { amount: -30 })).json.credits, credits + 20);
  const tooMany = await as("POST", path, { amount: -1000 });
  t.match(tooMany.json, { status: 409, code: "conflict", detail: /fewer than 1000/ });
  t.equal((await as("POST", path, { amount: 0 })).status, 422);
  t.equal((await as("POST", path, { amount: 1, note: "a\u0000" })).status, 422);
  t.equal((await as("POST", "/accounts/999999/credits", { amount: 1 })).status, 404);

  const once = {
    ...bearer(operator.token, { amount: 7 }),
    headers: { Authorization: `Bearer ${operator.token}`, "Idempotency-Key": "refund-82" },
  };
  for (let count = 0; count < 2; count++) {
    const again = await server.request("POST", `/operator${path}`, once);
    t.equal(again.json.credits, credits + 27, "sent twice, done once");
  }
  const history = (await server.request("GET", "/account/credits")).json;
  t.match(history.data, [
    { amount: 7, reason: "adjusted_by_the_operator", note: null },
    { amount: -30, note: null, balance_after: credits + 20 },
    { amount: 50, note: "Refund of order 81", balance_after: credits + 50 },
    { reason: "opening_balance", note: null },
  ]);
  t.same((await as("GET", path)).json, history, "as the operator reads it");
  const days = (await as("GET", `${path}/daily?days=2`)).json;
  t.same(days, (await server.request("GET", "/account/credits/daily?days=2")).json);
});

t.test("records each action with its operator", async (t) => {
  const { server, operator, as } = await withOperator(t);
  const other = await server.makeCaller({});
  const path = ofAccount(server);
  await as("PATCH", path, { plan: "pro", note: "Paid by invoice" });
  await as("PATCH", path, { plan: "pro" });
  await as("PATCH", path, { frozen: true, note: "Spam" });
  await as("PATCH", path, { frozen: false });
  await as("POST", `${path}/credits`, { amount: 5, note: "Welcome" });
  await server.db.accounts.update(server.account.id, { plan: "agency" });
  const balance = server.account.credits + 5;
  const by = { id: operator.account.id, email: operator.account.email };
  const own = `/actions?account_id=${server.account.id}`;
  const { data } = (await as("GET", own)).json;
  t.match(data, [
    { action: "plan_changed", details: { from: "pro", to: "agency" }, operator: null, note: null },
    { action: "credits_changed", details: { amount: 5, balance }, operator: by, note: "Welcome" },
    { action: "account_unfrozen", details: {}, operator: by },
    { action: "account_frozen", details: {}, operator: by, note: "Spam" },
    {
      action: "plan_changed",
      account: { id: server.account.id, email: server.account.email },
      details: { from: "trial", to: "pro" },
      operator: by,
      note: "Paid by invoice",
    },
    // How the helper makes the account.
    { action: "plan_changed", details: { from: "agency", to: "trial" }, operator: null },
  ]);
  t.equal(data.length, 6, "what changes nothing is not an action");
  await server.request("PATCH", "/account", { json: { low_credit_threshold: 3 } });
  t.equal((await as("GET", own)).json.data.length, 6, "nor are an owner's settings");

  await server.db.accounts.delete(server.account.id);
  const [first] = (await as("GET", `${own}&limit=1`)).json.data;
  t.match(first, { account: { id: server.account.id, email: null } }, "it outlives the account");
  const all = (await as("GET", "/actions?limit=100")).json;
  t.ok(
    all.data.some(({ account }: { account: Caller["account"] }) => account.id === other.account.id),
  );
});

t.test("operators cannot freeze themselves, and no request changes a role", async (t) => {
  const { server, operator, as } = await withOperator(t);
  const frozen = await as("PATCH", ofAccount(operator), { frozen: true });
  t.match(frozen.json, { status: 409, code: "conflict", detail: /your own account/ });
  t.equal((await as("PATCH", ofAccount(server), { role: "operator" })).status, 422);
  t.equal((await as("PATCH", ofAccount(operator), { role: "owner" })).status, 422);
  const json = { role: "operator" };
  t.equal((await server.request("PATCH", "/account", { json })).status, 422);
  t.equal((await as("PATCH", "/accounts/999999", { frozen: true })).status, 404);
});

t.test("freezing rejects every caller, ends jobs and deletes nothing", async (t) => {
  const { server, as } = await withOperator(t, LOOPBACK);
  const { id, email } = server.account;
  const password = "correct horse battery";
  const session = await server.makeToken(id, await setPassword(server.db, id, password));
  const pattern = await server.makePattern();
  const { token: guest } = await beginSession(server);
  await design(server, guest);
  const url = new URL(
    (await server.request("POST", `/patterns/${pattern}/render-url`, { json: { size: 32 } })).json
      .url,
  );
  const link = () => server.request("GET", url.pathname.slice(7) + url.search, { as: null });
  t.equal((await link()).status, 200);
  const print = { width_mm: 10, height_mm: 10, dpi: 72, format: "png" };
  const order = async () =>
    (await server.request("POST", `/patterns/${pattern}/export`, { json: print })).json.export_id;
  const [running, queued] = [await order(), await order()];
  const run = { id: running, run: (await server.db.exports.begin(running))?.run ?? 0 };
  await (await server.db.exports.openFile(run)).write(Buffer.from("half a file"));
  const json = { products: ["cushion", "mug"] };
  const mockups = (await server.request("POST", `/patterns/${pattern}/mockups`, { json })).json
    .data;
  const [, mug] = mockups;
  const { batch = "" } = (await server.db.mockups.get(id, mug.id)) ?? {};
  const held = (await server.request("GET", "/account")).json.usage;

  t.match((await as("PATCH", ofAccount(server), { frozen: true })).json, { frozen: true });
  const refusal = async (options: object) => {
    const { json } = await server.request("GET", "/patterns", options);
    return [json.status, json.code, json.detail];
  };
  t.same(await refusal({}), [402, "account_frozen", "the account is frozen"], "a key");
  t.match(await refusal(bearer(session)), [402, "account_frozen"], "a session");
  const toGuest = [402, "account_frozen", "the shop cannot take designs right now"];
  t.same(await refusal(bearer(guest)), toGuest, "a guest");
  t.match((await link()).json, { status: 402, code: "account_frozen" }, "a signed link");
  const login = { as: null, json: { email, password } };
  t.match((await server.request("POST", "/auth/login", login)).json, { code: "account_frozen" });
  const wrong = { as: null, json: { email, password: "another password" } };
  t.equal(
    (await server.request("POST", "/auth/login", wrong)).status,
    401,
    "strangers learn nothing",
  );

  await t.rejects(server.db.exports.recordProgress(run, 50), { name: "Superseded" });
  t.equal(await server.db.exports.begin(queued), null);
  t.same(await server.db.mockups.ofBatch(batch), [], "the job that draws finds nothing to do");
  await server.db.mockups.settle(batch, mug.id, { image: Buffer.from("drawn too late") });

  await as("PATCH", ofAccount(server), { frozen: false });
  t.equal((await link()).status, 200);
  t.equal((await server.request("GET", "/patterns", bearer(session))).status, 200);
  t.equal((await server.request("GET", "/patterns", bearer(guest))).json.data.length, 1);
  t.equal((await server.request("POST", "/auth/login", login)).status, 200);
  const failed = { status: "failed", error: "the account was frozen" };
  for (const one of [running, queued]) {
    t.match((await server.request("GET", `/exports/${one}`)).json, failed);
  }
  const after = (await server.request("GET", `/patterns/${pattern}/mockups`)).json.data;
  t.match(after, [failed, failed]);
  const { usage } = (await server.request("GET", "/account")).json;
  t.same(
    { ...usage, body_bytes_in_flight: 0 },
    { ...held, body_bytes_in_flight: 0, output_bytes: 0 },
  );
});

t.test("a mockup keeps its picture when freezing ends its drawing", async (t) => {
  const { server, as } = await withOperator(t);
  const { id } = server.account;
  const pattern = await server.makePattern();
  const json = { products: ["mug"] };
  const order = async () =>
    (await server.request("POST", `/patterns/${pattern}/mockups`, { json })).json.data[0].id;
  const mug = await order();
  const { batch = "" } = (await server.db.mockups.get(id, mug)) ?? {};
  await server.db.mockups.settle(batch, mug, { image: Buffer.from("drawn before") });
  await order();
  await as("PATCH", ofAccount(server), { frozen: true });
  t.match(await server.db.mockups.get(id, mug), { status: "done", error: null });
  t.match(await server.db.mockups.image(id, mug), { image: Buffer.from("drawn before") });
});

t.test("a frozen account's events are not delivered, and can be sent later", async (t) => {
  const { server, as } = await withOperator(t, { ...LOOPBACK, takesJobs: true });
  const target = await receiver(t);
  const { id } = await subscribe(server, target.url, ["credits.low"]);
  await as("PATCH", ofAccount(server), { frozen: true });
  const since = new Date(Date.now() - 60_000).toISOString();
  await as("POST", `${ofAccount(server)}/credits`, { amount: 5 - server.account.credits });
  const delivery = async () =>
    (await server.db.deliveries.list(server.account.id, id, { limit: 1 })).rows[0];
  await until(async () => (await delivery())?.status === "failed");
  t.match(await delivery(), { attempts: 0, error: "the account is frozen" });
  t.same(target.received, []);
  await as("PATCH", ofAccount(server), { frozen: false });
  await server.request("POST", `/webhooks/${id}/recover`, { json: { since } });
  await until(() => target.received.length === 1);
  t.match(target.received[0]?.json, { event: "credits.low", data: { credits: 5 } });
});
