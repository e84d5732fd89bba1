/** CORS: which pages may call and read which routes. */
import { createServer } from "node:http";
import t, { type Test } from "tap";
import { fetchDocument, operationsOf, resolved } from "../contract/document.ts";
import { openPage, skipWithoutBrowser as skip } from "../helpers/browser.ts";
import { portOf } from "../helpers/port-of.ts";
import { type Caller, type TestServer, testServer } from "../helpers/server.ts";

const EDITOR = "https://editor.example";
const SHOP = "https://shop.example";
const OTHER_SHOP = "https://other.example";
const STRANGER = "https://stranger.example";

/** A server whose caller's account lists a shop's origin, and another account another one. */
async function start(t: Test): Promise<{ server: TestServer; guest: string; other: Caller }> {
  const server = await testServer(t, { editorUrl: `${EDITOR}/design` });
  const other = await server.makeCaller({});
  await server.db.accounts.update(server.account.id, { return_origins: [SHOP] });
  await server.db.accounts.update(other.account.id, { return_origins: [OTHER_SHOP] });
  return { server, guest: await makeGuest(server, `${SHOP}/products/1`), other };
}

async function makeGuest({ request }: TestServer, return_url: string): Promise<string> {
  const json = { product_id: 1, return_url };
  const { editor_url } = (await request("POST", "/embed/handoff", { json })).json;
  const handoff = new URL(editor_url).searchParams.get("handoff");
  return (await request("POST", "/embed/sessions", { as: null, json: { handoff } })).json.token;
}

const preflight = ({ url }: TestServer, path: string, origin: string, method = "POST") =>
  fetch(`${url}/api/v1${path}`, {
    method: "OPTIONS",
    headers: {
      Origin: origin,
      "Access-Control-Request-Method": method,
      "Access-Control-Request-Headers": "authorization,content-type",
    },
  });

const readable = (headers: Headers) => headers.get("Access-Control-Allow-Origin");

t.test("answers preflight requests of the editor and of listed shops", async (t) => {
  const { server } = await start(t);
  const paths = ["/patterns", "/sources/upload", "/embed/sessions", "/embed/finish"];
  for (const path of paths) {
    for (const origin of [EDITOR, SHOP, OTHER_SHOP]) {
      const { status, headers } = await preflight(server, path, origin);
      t.equal(status, 204, `${path} ${origin}`);
      t.equal(readable(headers), origin);
      t.equal(headers.get("Vary"), "Origin");
      t.equal(headers.get("Access-Control-Max-Age"), "7200");
      t.match(headers.get("Access-Control-Allow-Methods"), /\bPOST\b/);
      t.match(headers.get("Access-Control-Allow-Headers"), /Authorization, Content-Type/);
      t.notOk(headers.has("Access-Control-Allow-Credentials"));
    }
    for (const origin of [STRANGER, "null", "http://shop.example", `${SHOP}.evil.example`, "*"]) {
      const refused = await preflight(server, path, origin);
      t.equal(refused.status, 403, `${path} ${origin}`);
      t.equal(readable(refused.headers), null);
      t.equal(refused.headers.get("Vary"), "Origin");
      t.match(await refused.json(), { code: "origin_refused", detail: /return_origins/ });
    }
  }
  const methods = (await preflight(server, "/patterns/1", SHOP, "PATCH")).headers;
  t.equal(methods.get("Access-Control-Allow-Methods"), "GET, PATCH, DELETE");
  for (const path of ["/account", "/api-keys", "/webhooks", "/mcp", "/embed/handoff"]) {
    const refused = await preflight(server, path, SHOP);
    t.equal(refused.status, 405, `${path} is for programs and pages of the service`);
    t.equal(readable(refused.headers), null);
  }
});

t.test("the editor and the account's own shops can read responses", async (t) => {
  const { server, guest } = await start(t);
  const get = (path: string, origin: string) =>
    server.request("GET", path, {
      as: null,
      headers: { Authorization: `Bearer ${guest}`, Origin: origin },
    });
  for (const path of ["/patterns", "/groups", "/presets", "/effects", "/palettes", "/styles"]) {
    for (const origin of [EDITOR, SHOP]) {
      const { status, headers } = await get(path, origin);
      t.equal(status, 200, path);
      t.equal(readable(headers), origin);
      t.equal(headers.get("Vary"), "Origin");
    }
    for (const origin of [OTHER_SHOP, STRANGER]) {
      const { headers } = await get(path, origin);
      t.equal(readable(headers), null, `${path} for ${origin}`);
      t.equal(headers.get("Access-Control-Expose-Headers"), null);
      t.equal(headers.get("Vary"), "Origin");
    }
  }
  const { headers } = await server.request("GET", "/groups");
  t.equal(headers.get("Vary"), "Origin", "Vary is sent without an origin, too");
  const own = await server.request("GET", "/account", { headers: { Origin: EDITOR } });
  t.equal(readable(own.headers), null);
});

t.test("they can read error responses, too", async (t) => {
  const { server, guest } = await start(t);
  const call = async (
    status: number,
    path: string,
    body: unknown,
    { token = guest, type = "application/json", method = "POST" } = {},
  ) => {
    const reply = await server.request(method, path, {
      as: null,
      ...(method !== "GET" && { body: JSON.stringify(body) }),
      headers: { Authorization: `Bearer ${token}`, Origin: SHOP, "Content-Type": type },
    });
    t.equal(reply.status, status);
    t.equal(readable(reply.headers), SHOP, `${status} ${path}`);
    t.match(reply.headers.get("Access-Control-Expose-Headers"), /Retry-After.*X-Request-Id/);
    t.equal(reply.headers.get("Cache-Control"), "no-store");
  };
  await call(401, "/patterns", {}, { token: `${guest}x` });
  await call(404, "/embed/sessions", { handoff: "unknown" });
  await call(404, "/patterns/999", {}, { method: "GET" });
  await call(413, "/patterns", "a".repeat(1024 * 1024));
  await call(415, "/patterns", {}, { type: "text/plain" });
  await call(422, "/patterns", { group: 1 });
  await server.db.accounts.update(server.account.id, { frozen: true });
  await call(402, "/patterns", {}, { method: "GET" });
});

t.test("limits look-ups of unlisted origins", async (t) => {
  const server = await testServer(t, { editorUrl: `${EDITOR}/design`, trustedProxies: 1 });
  await server.db.accounts.update(server.account.id, { return_origins: [SHOP, OTHER_SHOP] });
  const from = (address: string, origin: string) =>
    fetch(`${server.url}/api/v1/patterns`, {
      method: "OPTIONS",
      headers: {
        Origin: origin,
        "Access-Control-Request-Method": "POST",
        "X-Forwarded-For": address,
      },
    });
  t.equal((await from("192.0.2.1", SHOP)).status, 204);
  await Promise.all(
    Array.from({ length: 40 }, (_, index) => from("192.0.2.1", `https://${index}.example`)),
  );
  t.equal((await from("192.0.2.1", SHOP)).status, 204, "cached look-ups still work");
  t.equal((await from("192.0.2.1", EDITOR)).status, 204);
  t.equal((await from("192.0.2.1", OTHER_SHOP)).status, 403, "nothing else is looked up");
  const own = await server.request("GET", "/groups", {
    headers: { Origin: OTHER_SHOP, "X-Forwarded-For": "192.0.2.1" },
  });
  t.equal(readable(own.headers), OTHER_SHOP, "where the account is known nothing has to be");
  t.equal((await from("192.0.2.2", OTHER_SHOP)).status, 204, "for others as ever");
});

t.test("signed URLs are readable by any origin and cacheable by any cache", async (t) => {
  const { server } = await start(t);
  const json = { size: 16, expires_in: 3600 };
  const path = `/patterns/${await server.makePattern()}/render-url`;
  const { url } = (await server.request("POST", path, { json })).json;
  for (const headers of [{}, { Origin: STRANGER }]) {
    const { status, headers: sent } = await fetch(url, { headers });
    t.equal(status, 200);
    t.equal(readable(sent), "*");
    t.notMatch(sent.get("Vary") ?? "", /Origin/);
    t.match(sent.get("Cache-Control"), /^public, max-age=3[56]\d\d, immutable$/);
  }
  const { pathname } = new URL(url);
  const ranged = await preflight(server, pathname.replace("/api/v1", ""), STRANGER, "GET");
  t.equal(ranged.status, 204);
  t.match(ranged.headers.get("Access-Control-Allow-Headers"), /\bRange\b/);
  const forged = await fetch(`${url}x`, { headers: { Origin: STRANGER } });
  t.equal(forged.status, 404);
  t.equal(readable(forged.headers), "*");
  t.equal(forged.headers.get("Cache-Control"), "no-store");
});

t.test("exposes every documented header of these routes", async (t) => {
  const { server } = await start(t);
  const exposed = new Set(
    (await fetch(`${server.url}/api/v1/openapi.json`)).headers
      .get("Access-Control-Expose-Headers")
      ?.split(", "),
  );
  for (const name of ["ETag", "Server-Timing", "Retry-After", "X-Request-Id", "Repr-Digest"]) {
    t.ok(exposed.has(name), name);
  }
  const operations = operationsOf(resolved(await fetchDocument(server.url)));
  let shared = 0;
  for (const { path, method, operation } of operations) {
    const { headers } = await preflight(server, path.replace("/api/v1", ""), SHOP, method);
    if (readable(headers) === null) continue;
    shared += 1;
    const names = Object.values(operation.responses).flatMap((one) => Object.keys(one.headers));
    t.same(
      names.filter((name) => !exposed.has(name)),
      [],
      operation.operationId,
    );
  }
  t.ok(shared > 15 && shared < operations.length, `${shared} of ${operations.length}`);
});

t.test("a shop's own page creates patterns with a guest token", { skip }, async (t) => {
  const server = await testServer(t);
  const shop = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html").end("<title>A shop</title>");
  });
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  t.teardown(() => shop.close());
  const origin = `http://127.0.0.1:${portOf(shop)}`;
  await server.db.accounts.update(server.account.id, { return_origins: [origin] });
  const token = await makeGuest(server, `${origin}/back`);
  const { page } = await openPage(t, origin);
  const design = (api: string) =>
    page.evaluate(
      async ([api, token]) => {
        const send = (path: string, body: object) =>
          fetch(api + path, {
            method: "POST",
            headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
            body: JSON.stringify(body),
          });
        const source = await send("/sources/presets", { preset: "stripes", seed: 1 });
        const { id } = await source.json();
        const pattern = await send("/patterns", { source_id: id, group: "p4" });
        const refused = await send("/patterns", { source_id: id, group: "p5" });
        return {
          location: source.headers.get("Location"),
          etag: pattern.headers.get("ETag"),
          problem: (await refused.json()).code,
        };
      },
      [api, token],
    );
  t.match(await design(`${server.url}/api/v1`), {
    location: /\/api\/v1\/sources\/\d+$/,
    etag: /^"\d+-\d+"$/,
    problem: "validation_failed",
  });
  const account = `${server.url}/api/v1/account`;
  await t.rejects(
    page.evaluate((url) => fetch(url), account),
    { message: /Failed to fetch/ },
    "the account is for programs and pages of the service",
  );
});
