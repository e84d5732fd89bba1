import t from "tap";
import { bearer, beginSession, design, handOver, open, RETURN } from "../helpers/guest-sessions.ts";
import { testServer } from "../helpers/server.ts";

t.test("a customer goes from the shop to the editor and back", async (t) => {
  const server = await testServer(t);
  const { made, editor, handoff } = await handOver(server);
  t.equal(made.status, 201);
  t.equal(`${editor.origin}${editor.pathname}`, `${server.url}/editor`);
  const lasts = Date.parse(made.json.expires_at) - Date.now();
  t.ok(Math.abs(lasts - 24 * 3_600_000) < 60_000);

  const begun = await server.request("POST", "/embed/sessions", { ...open, json: { handoff } });
  t.match(begun.json, { token: /^ey/, product_id: 4711, return_url: RETURN });
  const again = await server.request("POST", "/embed/sessions", { ...open, json: { handoff } });
  t.match(again.json, { status: 404, code: "not_found", detail: /used already/ });

  const { token } = begun.json;
  const before = (await server.request("GET", "/account")).json.credits;
  const { pattern } = await design(server, token);
  t.equal((await server.request("GET", "/account")).json.credits, before - 2, "the shop pays");
  const picture = await server.request("GET", `/patterns/${pattern}/render?size=32`, bearer(token));
  t.equal(picture.status, 200);
  const done = await server.request(
    "POST",
    "/embed/finish",
    bearer(token, { pattern_id: pattern }),
  );
  const { handoff_id } = made.json;
  const added = `pf_pattern_id=${pattern}&pf_handoff=${handoff_id}&pf_status=finished`;
  t.same(done.json, {
    redirect_url: `https://shop.example/products/4711?variant=blue&${added}#buy`,
  });
  t.equal((await server.request("GET", `/patterns/${pattern}`)).status, 200, "the shop has it");
  for (const [method, json] of [["PATCH", { name: "swapped" }], ["DELETE"]] as const) {
    const late = await server.request(method, `/patterns/${pattern}`, bearer(token, json));
    t.match(late.json, { status: 409, code: "conflict", detail: /the shop has/ });
  }
  const renamed = { json: { name: "order 1" } };
  t.equal((await server.request("PATCH", `/patterns/${pattern}`, renamed)).status, 200);
});

t.test("a guest reaches only what its session created", async (t) => {
  const server = await testServer(t);
  const ofShop = await server.makePattern();
  const shopSource = (await server.request("GET", "/sources")).json.data[0].id;
  const { token } = await beginSession(server);
  const other = await beginSession(server);
  const theirs = await design(server, other.token);
  const mine = await design(server, token);
  const ask = (method: string, path: string, json?: object) =>
    server.request(method, path, bearer(token, json));

  for (const id of [ofShop, theirs.pattern]) {
    t.equal((await ask("GET", `/patterns/${id}`)).status, 404);
    t.equal((await ask("PATCH", `/patterns/${id}`, { name: "mine" })).status, 404);
    t.equal((await ask("POST", `/patterns/${id}/render`, { size: 16 })).status, 404);
    t.equal((await ask("POST", `/patterns/${id}/validate`, {})).status, 404);
    t.equal((await ask("DELETE", `/patterns/${id}`)).status, 404);
    t.equal((await ask("POST", "/embed/finish", { pattern_id: id })).status, 404);
  }
  for (const id of [shopSource, theirs.source]) {
    t.equal((await ask("GET", `/sources/${id}`)).status, 404);
    t.equal((await ask("GET", `/sources/${id}/image`)).status, 404);
    t.equal((await ask("DELETE", `/sources/${id}`)).status, 404);
    t.equal((await ask("POST", "/patterns", { source_id: id, group: "p4" })).status, 404);
    t.equal((await ask("PATCH", `/patterns/${mine.pattern}`, { source_id: id })).status, 404);
  }
  const idsAt = async (path: string) =>
    (await ask("GET", path)).json.data.map(({ id }: { id: number }) => id);
  t.same(await idsAt("/patterns"), [mine.pattern]);
  t.same(await idsAt("/sources"), [mine.source]);
  for (const [method, path] of [
    ["GET", "/account"],
    ["PATCH", "/account"],
    ["GET", "/account/credits"],
    ["POST", "/embed/handoff"],
    ["POST", `/patterns/${mine.pattern}/render-url`],
  ] as const) {
    t.match((await ask(method, path)).json, { status: 403, code: "guest_refused" }, path);
  }
  t.equal((await ask("GET", "/api-keys")).status, 403);
  t.equal((await ask("GET", "/mcp/info")).status, 401);
  t.equal((await ask("GET", "/groups")).status, 200);
  const { headers } = await ask("GET", "/groups");
  t.equal(headers.get("RateLimit-Policy"), '"requests";q=600;w=60');
});

t.test("two guests may use the same Idempotency-Key", async (t) => {
  const server = await testServer(t);
  const [a, b] = [await beginSession(server), await beginSession(server)];
  const make = (token: string) =>
    server.request("POST", "/sources/presets", {
      ...open,
      json: { preset: "stripes", seed: 1 },
      headers: { Authorization: `Bearer ${token}`, "Idempotency-Key": "one" },
    });
  const [first, again, second] = [await make(a.token), await make(a.token), await make(b.token)];
  t.equal(again.json.id, first.json.id);
  t.equal(second.status, 201);
  t.not(second.json.id, first.json.id);
});

t.test("the account's state applies to its guests", async (t) => {
  const server = await testServer(t);
  const { token } = await beginSession(server);
  const unused = await handOver(server);
  const list = () => server.request("GET", "/patterns", bearer(token));
  await server.db.accounts.update(server.account.id, { frozen: true });
  t.equal((await list()).json.code, "account_frozen");
  const begin = { ...open, json: { handoff: unused.handoff } };
  t.equal((await server.request("POST", "/embed/sessions", begin)).json.code, "account_frozen");
  t.equal((await server.request("GET", "/account", bearer(token))).json.code, "account_frozen");
  await server.db.accounts.update(server.account.id, { frozen: false, plan: "starter" });
  t.equal((await list()).json.code, "plan_required");
  await server.db.accounts.update(server.account.id, { plan: "pro", credits: 0 });
  const preset = bearer(token, { preset: "stripes" });
  t.equal(
    (await server.request("POST", "/sources/presets", preset)).json.code,
    "credits_exhausted",
  );
  t.equal((await server.request("GET", "/patterns", bearer(`${token}x`))).status, 401);
  const opened = await server.request("POST", "/embed/sessions", begin);
  t.equal(opened.status, 201, "a link is not used up while the account is closed");
});

t.test("customers are redirected to listed origins only", async (t) => {
  const server = await testServer(t);
  const ask = (return_url: unknown) =>
    server.request("POST", "/embed/handoff", { json: { product_id: 1, return_url } });
  for (const good of ["https://any.shop/x", "http://localhost:8080/", "http://127.0.0.1/a?b#c"]) {
    t.equal((await ask(good)).status, 201, good);
  }
  for (const bad of [
    "http://shop.example/",
    "javascript:alert(1)",
    "//shop.example",
    "https://user:secret@shop.example/",
    "https://",
    "https://a b/",
    "",
    7,
  ]) {
    const refused = await ask(bad);
    t.equal(refused.status, 422, String(bad));
    t.equal(refused.json.errors[0].path, "/return_url");
  }
  const odd = await handOver(server, { return_url: " https:shop.example/\u0000\n\tx" });
  const session = { ...open, json: { handoff: odd.handoff } };
  const { return_url } = (await server.request("POST", "/embed/sessions", session)).json;
  t.equal(return_url, "https://shop.example/%00x", "as browsers understand it");
  await server.request("PATCH", "/account", { json: { return_origins: ["https://my.shop"] } });
  t.equal((await ask("https://my.shop/cart?x=1")).status, 201);
  for (const other of [
    "https://my.shop.evil.example/",
    "https://my.shop:8443/",
    "http://localhost/",
  ]) {
    t.match((await ask(other)).json.errors, [{ path: "/return_url", expected: /my\.shop/ }]);
  }
});

t.test("another kind of credentials is rejected with the expected one", async (t) => {
  const server = await testServer(t);
  const { token } = await beginSession(server);
  const finish = async (headers: Readonly<Record<string, string>>) =>
    (await server.request("POST", "/embed/finish", { ...open, json: {}, headers })).json;
  const expected =
    "expected Authorization: Bearer <token of a guest session, see POST /embed/sessions>";
  for (const [headers, got] of [
    [{}, "no credentials"],
    [{ "X-API-Key": server.key }, "an API key"],
    [{ Authorization: `Bearer ${server.key}` }, "an API key"],
    [{ Authorization: `Bearer ${server.token}` }, "a user session token"],
    [{ Authorization: "Bearer abc" }, "an unknown token"],
  ] as const) {
    const refused = await finish(headers);
    t.match(refused, { status: 401, code: "unauthorized", detail: `${expected}, got ${got}` });
  }
  const broken = await finish({ Authorization: `Bearer ${token}x` });
  t.match(broken, { status: 401, detail: "the session is not valid or has expired" });
  const json = { name: "a key" };
  const key = await server.request("POST", "/api-keys", { json });
  t.match(key.json, { status: 401, detail: /<user session token>, got an API key$/ });
  const mcp = await server.request("GET", "/mcp/info", bearer(token));
  t.match(mcp.json, { status: 401, detail: /Bearer <key>, got the token of a guest session$/ });
});
