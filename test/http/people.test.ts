import t from "tap";
import { testServer } from "../helpers/server.ts";

const open = { as: null } as const;
const ada = { email: "Ada@Example.com", password: "correct horse battery" };

t.test("who signs up has a trial account and a token that works", async (t) => {
  const server = await testServer(t);
  const made = await server.request("POST", "/auth/signup", { ...open, json: ada });
  t.equal(made.status, 201);
  const lasts = Date.parse(made.json.expires_at) - Date.now();
  t.ok(Math.abs(lasts - 12 * 3_600_000) < 60_000);
  const headers = { Authorization: `Bearer ${made.json.token}` };
  const account = await server.request("GET", "/account", { ...open, headers });
  t.match(account.json, {
    id: made.json.account_id,
    email: "Ada@Example.com",
    plan: "trial",
    credits: 100,
    frozen: false,
  });
  const history = await server.request("GET", "/account/credits", { ...open, headers });
  t.match(history.json, {
    credits: 100,
    is_low: false,
    data: [{ amount: 100, reason: "opening_balance", reference: null, balance_after: 100 }],
    next_cursor: null,
  });
  const again = { ...ada, email: "ada@EXAMPLE.com" };
  const taken = await server.request("POST", "/auth/signup", { ...open, json: again });
  t.match(taken.json, { status: 409, code: "conflict" });
});

t.test("who knows the password gets in", async (t) => {
  const server = await testServer(t);
  const made = await server.request("POST", "/auth/signup", { ...open, json: ada });
  const login = (json: object) => server.request("POST", "/auth/login", { ...open, json });
  const back = await login({ ...ada, email: "ada@example.COM" });
  t.equal(back.status, 200);
  t.equal(back.json.account_id, made.json.account_id);
  const wrong = await login({ ...ada, password: "Correct horse battery" });
  const unknown = await login({ ...ada, email: "eve@example.com" });
  const keyless = await login({ email: server.account.email, password: ada.password });
  for (const refused of [wrong, unknown, keyless]) {
    t.match(refused.json, { status: 401, code: "unauthorized" });
    t.equal(refused.json.detail, wrong.json.detail, "which of the two is wrong is not said");
    t.equal(refused.headers.get("WWW-Authenticate"), 'Bearer realm="orbifold"');
  }
});

t.test("what is no address or no password is named", async (t) => {
  const server = await testServer(t);
  const cases: readonly [object, readonly string[]][] = [
    [{}, ["/email", "/password"]],
    [{ ...ada, email: "ada" }, ["/email"]],
    [{ ...ada, email: "a\u0000@example.com" }, ["/email"]],
    [{ ...ada, password: "short" }, ["/password"]],
    [{ ...ada, password: "x".repeat(1001) }, ["/password"]],
    [{ ...ada, plan: "agency" }, ["/plan"]],
  ];
  for (const [json, paths] of cases) {
    const refused = await server.request("POST", "/auth/signup", { ...open, json });
    t.equal(refused.status, 422);
    t.same(
      refused.json.errors.map(({ path }: { path: string }) => path),
      paths,
    );
  }
});

t.test("an operator may keep the door closed", async (t) => {
  const server = await testServer(t, { services: { signUpsAreOpen: false } });
  const closed = await server.request("POST", "/auth/signup", { ...open, json: ada });
  t.match(closed.json, { status: 404, code: "not_found", detail: /operator/ });
});

t.test("guesses are limited, by the address they come from and by the account", async (t) => {
  const server = await testServer(t, { trustedProxies: 1 });
  const guess = (email: string, address: string) =>
    server.request("POST", "/auth/login", {
      ...open,
      json: { email, password: "a wrong password" },
      headers: { "X-Forwarded-For": `6.6.6.6, ${address}` },
    });
  const made = await server.request("POST", "/auth/signup", { ...open, json: ada });
  const spellings = ["ada@example.com", "ADA@example.com", "Ada@EXAMPLE.com"];
  const spread = await Promise.all(
    Array.from({ length: 102 }, (_, at) => guess(spellings[at % 3], `198.51.100.${at}:4711`)),
  );
  const statuses = spread.map(({ status }) => status);
  t.same([statuses.filter((one) => one === 401).length, statuses.includes(429)], [100, true]);
  t.equal(made.status, 201);

  const first = await guess("b0@example.com", "2001:db8:1:2::1");
  t.equal(first.headers.get("RateLimit-Policy"), '"login";q=60;w=900');
  t.match(first.headers.get("RateLimit"), /^"login";r=59;t=9\d\d$|^"login";r=59;t=8\d\d$/);
  for (let at = 1; at < 60; at++) await guess(`b${at}@example.com`, `2001:db8:1:2::${at}`);
  const refused = await guess("b60@example.com", "2001:0db8:0001:0002:ffff::60");
  t.match(refused.json, { status: 429, code: "rate_limited" });
  t.match(refused.headers.get("Retry-After"), /^[89]?\d\d$/);
  t.equal((await guess("b61@example.com", "2001:db8:1:3::1")).status, 401, "another network");
});
