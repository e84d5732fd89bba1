import { SignJWT } from "jose";
import t from "tap";
import { type RequestOptions, testServer } from "../helpers/server.ts";

const bearer = (token: string): RequestOptions => ({
  as: null,
  headers: { Authorization: `Bearer ${token}` },
});

t.test("accepts a key in either header, and a user session token as a bearer token", async (t) => {
  const server = await testServer(t);
  for (const options of [
    { as: server },
    bearer(server.key),
    { as: null, headers: { authorization: `bearer ${server.key}` } },
    bearer(server.token),
  ]) {
    const reply = await server.request("GET", "/account", options);
    t.equal(reply.status, 200);
    t.equal(reply.json.id, server.account.id);
  }
});

t.test("responds with a challenge without a valid key or token", async (t) => {
  const server = await testServer(t);
  const bare = await server.request("GET", "/account", { as: null });
  t.equal(bare.status, 401);
  t.equal(bare.json.code, "unauthorized");
  t.equal(bare.headers.get("WWW-Authenticate"), 'Bearer realm="orbifold"');

  const forged = await new SignJWT()
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(String(server.account.id))
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode("another secret of 32 characters!"));
  const mistyped = server.key.slice(0, -1) + (server.key.endsWith("0") ? "1" : "0");
  for (const options of [
    bearer(forged),
    bearer(mistyped),
    bearer("pf_"),
    bearer("a.b.c"),
    { as: null, headers: { "X-API-Key": "nonsense" } },
    { as: null, headers: { "X-API-Key": server.token } },
  ]) {
    const refused = await server.request("GET", "/account", options);
    t.equal(refused.status, 401);
    t.match(refused.headers.get("WWW-Authenticate"), 'error="invalid_token"');
  }
  const basic = { as: null, headers: { Authorization: "Basic dXNlcjpwYXNz" } };
  t.equal((await server.request("GET", "/account", basic)).status, 401);
});

t.test("rejects all requests of a frozen account", async (t) => {
  const server = await testServer(t);
  const frozen = await server.makeCaller({ plan: "starter", frozen: true });
  for (const options of [{ as: frozen }, bearer(frozen.token)]) {
    const refused = await server.request("GET", "/patterns", options);
    t.equal(refused.status, 402);
    t.equal(refused.json.code, "account_frozen");
  }
});

t.test("the starter plan accepts user session tokens, but no keys", async (t) => {
  const server = await testServer(t);
  const starter = await server.makeCaller({ plan: "starter" });
  const byKey = await server.request("GET", "/patterns", { as: starter });
  t.equal(byKey.status, 403);
  t.equal(byKey.json.code, "plan_required");
  t.equal((await server.request("GET", "/patterns", bearer(starter.token))).status, 200);
  const making = { ...bearer(starter.token), json: { name: "key" } };
  t.equal((await server.request("POST", "/api-keys", making)).json.code, "plan_required");
});

t.test("a key does what its scopes allow, over REST and MCP", async (t) => {
  const server = await testServer(t);
  const { token } = await server.makeCaller({ plan: "agency" });
  const calls = {
    read: ["GET", "/patterns", 200],
    write: ["DELETE", "/patterns/1", 404],
    account: ["GET", "/webhooks", 200],
    mcp: ["GET", "/mcp/info", 200],
  } as const;
  for (const scope of [...Object.keys(calls), "shops"]) {
    const json = { name: scope, scopes: [scope] };
    const made = await server.request("POST", "/api-keys", { ...bearer(token), json });
    t.same(made.json.scopes, [scope]);
    for (const [needed, [method, path, status]] of Object.entries(calls)) {
      const reply = await server.request(method, path, bearer(made.json.secret));
      t.equal(reply.status, needed === scope ? status : 403, `${method} ${path} with ${scope}`);
      if (needed !== scope) t.equal(reply.json.code, "scope_required");
    }
    const handoff = { product_id: 1, return_url: "https://shop.example/" };
    const begun = await server.request("POST", "/embed/handoff", {
      ...bearer(made.json.secret),
      json: handoff,
    });
    t.equal(begun.status, scope === "shops" ? 201 : 403);
  }
  const render = await server.request("POST", `/patterns/${await server.makePattern()}/render`, {
    json: { size: 16 },
  });
  t.equal(render.status, 200, "a key without a choice does everything");
  const none = { ...bearer(token), json: { name: "nothing", scopes: [] } };
  t.equal((await server.request("POST", "/api-keys", none)).status, 422);
});

t.test("authenticates before validating the request", async (t) => {
  const server = await testServer(t);
  const starter = await server.makeCaller({ plan: "starter" });
  const frozen = await server.makeCaller({ frozen: true });
  const poor = await server.makeCaller({ credits: 0 });
  const garbage = { body: "{", headers: { "Content-Type": "application/json" } };
  const post = (options: RequestOptions) => server.request("POST", "/patterns", options);
  t.equal((await post({ as: null, ...garbage })).status, 401);
  t.equal((await post({ as: frozen, ...garbage })).status, 402);
  t.equal((await post({ as: starter, ...garbage })).status, 403);
  t.equal((await post({ as: poor, ...garbage })).status, 400);
  t.equal((await post({ as: poor, json: { source_id: 1, group: "p5" } })).status, 422);
  t.equal((await post({ as: poor, json: { source_id: 1, group: "p4" } })).status, 404);
});

t.test("only user session tokens create, list and revoke keys", async (t) => {
  const server = await testServer(t);
  const person = bearer(server.token);
  const made = await server.request("POST", "/api-keys", { ...person, json: { name: "shop" } });
  t.equal(made.status, 201);
  t.equal(made.headers.get("Cache-Control"), "no-store");
  const { secret, ...key } = made.json;
  t.match(secret, /^pf_[0-9A-Za-z]{38}$/);
  const listed = await server.request("GET", "/api-keys", person);
  t.same(
    listed.json.data.find(({ id }: { id: number }) => id === key.id),
    key,
    "without its secret",
  );
  t.equal((await server.request("GET", "/account", bearer(secret))).status, 200);

  const byKey = await server.request("POST", "/api-keys", { json: { name: "more" } });
  t.equal(byKey.status, 401);
  t.equal((await server.request("GET", "/api-keys", bearer(server.key))).status, 401);

  const stranger = bearer((await server.makeCaller({})).token);
  t.equal((await server.request("DELETE", `/api-keys/${key.id}`, stranger)).status, 404);
  t.equal((await server.request("DELETE", `/api-keys/${key.id}`, person)).status, 204);
  t.equal((await server.request("GET", "/account", bearer(secret))).status, 401);
  t.equal((await server.request("DELETE", `/api-keys/${key.id}`, person)).status, 404);
});
