import { request } from "node:http";
import { connect } from "node:net";
import t from "tap";
import { testServer } from "../helpers/server.ts";

const open = { as: null } as const;
const ada = { email: "Ada@Example.com", password: "correct horse battery" };

t.test("signing up returns a trial account and a valid token", async (t) => {
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

t.test("logging in requires the password", async (t) => {
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

t.test("reports an invalid address or password", async (t) => {
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

t.test("an operator can close sign-ups", async (t) => {
  const server = await testServer(t, { services: { signUps: "nobody" } });
  const closed = await server.request("POST", "/auth/signup", { ...open, json: ada });
  t.match(closed.json, { status: 404, code: "not_found", detail: /operator/ });
});

t.test("limits login attempts by address and by account", async (t) => {
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

const bearer = (token: string) => ({ ...open, headers: { Authorization: `Bearer ${token}` } });

t.test("logging out revokes all tokens of the account, but no keys", async (t) => {
  const server = await testServer(t);
  const made = await server.request("POST", "/auth/signup", { ...open, json: ada });
  const { token } = made.json;
  const other = (await server.request("POST", "/auth/login", { ...open, json: ada })).json.token;
  const key = await server.request("POST", "/api-keys", {
    ...bearer(token),
    json: { name: "shop" },
  });
  const stranger = server.token;
  t.equal((await server.request("POST", "/auth/logout", bearer(token))).status, 204);
  for (const revoked of [token, other]) {
    const refused = await server.request("GET", "/account", bearer(revoked));
    t.match(refused.json, { status: 401, code: "unauthorized", detail: /revoked/ });
  }
  t.equal((await server.request("POST", "/auth/logout", bearer(token))).status, 401);
  t.equal((await server.request("GET", "/account", bearer(stranger))).status, 200);
  t.equal((await server.request("GET", "/account", bearer(key.json.secret))).status, 200);
  const back = await server.request("POST", "/auth/login", { ...open, json: ada });
  t.equal((await server.request("GET", "/account", bearer(back.json.token))).status, 200);
});

t.test("changing the password revokes earlier tokens and the old password", async (t) => {
  const server = await testServer(t);
  const { token } = (await server.request("POST", "/auth/signup", { ...open, json: ada })).json;
  const change = (as: string, json: object) =>
    server.request("POST", "/auth/password", { ...bearer(as), json });
  const current = ada.password;
  const wrong = await change(token, { current: "a wrong password", new: "another password" });
  t.match(wrong.json, { status: 401, code: "unauthorized" });
  const short = await change(token, { current, new: "short" });
  t.match(short.json, { status: 422, errors: [{ path: "/new" }] });
  t.equal((await server.request("GET", "/account", bearer(token))).status, 200, "unchanged so far");

  const changed = await change(token, { current, new: "another password" });
  t.equal(changed.status, 200);
  t.equal((await server.request("GET", "/account", bearer(token))).status, 401);
  t.equal((await server.request("GET", "/account", bearer(changed.json.token))).status, 200);
  const login = (password: string) =>
    server.request("POST", "/auth/login", { ...open, json: { ...ada, password } });
  t.equal((await login(current)).status, 401);
  t.equal((await login("another password")).status, 200);
});

t.test("limits attempts at the current password", async (t) => {
  const server = await testServer(t);
  const { token } = (await server.request("POST", "/auth/signup", { ...open, json: ada })).json;
  const guess = () =>
    server.request("POST", "/auth/password", {
      ...bearer(token),
      json: { current: "a wrong password", new: "another password" },
    });
  const statuses = (await Promise.all(Array.from({ length: 101 }, guess))).map((one) => one.status);
  t.same(statuses.toSorted(), [...Array(100).fill(401), 429]);
});

t.test("loopback-only sign-ups reject requests through a proxy or for another host", async (t) => {
  const server = await testServer(t, { services: { signUps: "loopback" } });
  const signUp = (email: string, headers: Readonly<Record<string, string>>) =>
    new Promise<number>((resolve, reject) => {
      const url = `${server.url}/api/v1/auth/signup`;
      const options = {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
      };
      const ask = request(url, options, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      ask.on("error", reject).end(JSON.stringify({ ...ada, email }));
    });
  for (const headers of [
    { "X-Forwarded-For": "127.0.0.1" },
    { Forwarded: "for=127.0.0.1" },
    { "X-Real-IP": "127.0.0.1" },
    { Via: "1.1 proxy" },
    { "X-Forwarded-Proto": "https" },
    { Host: "patterns.example" },
    { Host: "127.0.0.1.evil.example" },
  ]) {
    t.equal(await signUp("a@example.com", headers), 404, JSON.stringify(headers));
  }
  const body = JSON.stringify({ ...ada, email: "nginx@example.com" });
  const socket = connect(server.listening.port, "127.0.0.1");
  const head = "POST /api/v1/auth/signup HTTP/1.0\r\nHost: localhost\r\nConnection: close\r\n";
  const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  socket.write(`${head}${type}${body}`);
  t.match(Buffer.concat(await socket.toArray()).toString(), /^HTTP\/1\.1 404 /, "proxy_pass alone");
  t.equal(await signUp("b@example.com", {}), 201);
  t.equal(await signUp("c@example.com", { Host: "localhost:3000" }), 201);
});
