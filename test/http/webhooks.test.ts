/** Managing webhooks. */
import t from "tap";
import { type ServerOptions, testServer } from "../helpers/server.ts";
import { subscribe } from "../helpers/webhooks.ts";
import { ELSEWHERE, LOOPBACK, NAMES } from "../outbound/loopback-spellings.ts";

const SOMEWHERE = "https://shop.example/hooks";

t.test("creates, shows, updates and deletes a webhook", async (t) => {
  const server = await testServer(t);
  const { request } = server;
  const json = { url: "HTTPS://Shop.example/hooks?a=b", events: ["credits.low", "mockup.ready"] };
  const made = await request("POST", "/webhooks", { json });
  t.equal(made.status, 201);
  const { secret, ...webhook } = made.json;
  t.match(webhook, {
    id: Number,
    url: "https://shop.example/hooks?a=b",
    events: ["credits.low", "mockup.ready"],
    enabled: true,
    disabled_reason: null,
    previous_secret_until: null,
  });
  const path = `/webhooks/${webhook.id}`;
  t.same((await request("GET", path)).json, webhook);
  const other = await subscribe(server, SOMEWHERE);
  const ids = (await request("GET", "/webhooks")).json.data.map(({ id }: { id: number }) => id);
  t.same(ids, [other.id, webhook.id], "newest first");

  const stopped = await request("PATCH", path, { json: { enabled: false } });
  t.same(stopped.json, { ...webhook, enabled: false, disabled_reason: "by_request" });
  const changes = { enabled: true, events: ["design.applied"], url: "https://other.example/" };
  const changed = await request("PATCH", path, { json: changes });
  t.same(changed.json, { ...webhook, ...changes });
  t.same((await request("PATCH", path, { json: {} })).json, { ...webhook, ...changes });

  t.equal((await request("DELETE", path)).status, 204);
  for (const method of ["GET", "DELETE"]) t.equal((await request(method, path)).status, 404);
});

t.test("shows the secret once", async (t) => {
  const server = await testServer(t);
  const { id, secret } = await subscribe(server, SOMEWHERE);
  t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  t.not((await subscribe(server, SOMEWHERE)).secret, secret);
  const answers = [
    await server.request("GET", "/webhooks"),
    await server.request("GET", `/webhooks/${id}`),
    await server.request("PATCH", `/webhooks/${id}`, { json: { enabled: true } }),
    await server.request("POST", `/webhooks/${id}/test`),
    await server.request("GET", `/webhooks/${id}/deliveries`),
  ];
  for (const { bytes } of answers) t.notOk(bytes.includes(secret.slice(6)));
});

t.test("a repeated creation with one key creates one webhook with one secret", async (t) => {
  const { request } = await testServer(t);
  const json = { url: SOMEWHERE, events: ["credits.low"] };
  const send = () =>
    request("POST", "/webhooks", { json, headers: { "Idempotency-Key": "hook-1" } });
  t.same((await send()).json, (await send()).json);
  t.equal((await request("GET", "/webhooks")).json.data.length, 1);
});

t.test("rejects invalid URLs and unknown events", async (t) => {
  const { request } = await testServer(t);
  const events = ["pattern.created"];
  const wrong: readonly [json: object, path: string][] = [
    [{ url: "shop.example/hooks", events }, "/url"],
    [{ url: "ftp://shop.example/hooks", events }, "/url"],
    [{ url: "https://ada:secret@shop.example/hooks", events }, "/url"],
    [{ url: `https://shop.example/${"x".repeat(2000)}`, events }, "/url"],
    [{ url: SOMEWHERE, events: [] }, "/events"],
    [{ url: SOMEWHERE, events: ["ping"] }, "/events/0"],
    [{ url: SOMEWHERE, events: [...events, ...events] }, "/events"],
    [{ url: SOMEWHERE, events, secret: "mine" }, "/secret"],
  ];
  for (const [json, path] of wrong) {
    const reply = await request("POST", "/webhooks", { json });
    t.equal(reply.status, 422, JSON.stringify(json).slice(0, 100));
    t.equal(reply.json.errors[0].path, path);
    t.notMatch(reply.bytes.toString(), "secret@");
  }
  t.same((await request("GET", "/webhooks")).json.data, []);
});

t.test("rejects private addresses in any spelling, and plain http", async (t) => {
  const { request } = await testServer(t);
  const events = ["pattern.created"];
  const { id } = (await request("POST", "/webhooks", { json: { url: SOMEWHERE, events } })).json;
  const hosts = [...LOOPBACK, ...ELSEWHERE, ...NAMES, "hooks.localhost", "169.254.169.254"];
  const wrong = [...hosts.map((host) => `https://${host}:8080/hook`), "http://127.0.0.1/"];
  const plain = ["http://shop.example/hooks", "http://1.1.1.1/"];
  for (const url of [...wrong, ...plain]) {
    const reply = await request("POST", "/webhooks", { json: { url, events } });
    t.equal(reply.status, 422, url);
    const expected = plain.includes(url)
      ? "an https:// address"
      : "an address in the public Internet";
    t.match(reply.json.errors, [{ path: "/url", expected }]);
  }
  for (const url of ["https://[::1]/", "http://shop.example/"]) {
    t.equal((await request("PATCH", `/webhooks/${id}`, { json: { url } })).status, 422, url);
  }
  t.match((await request("GET", "/webhooks")).json.data, [{ url: SOMEWHERE }]);
});

t.test("accepts only the private addresses that the operator allows", async (t) => {
  const taken = async (
    outbound: NonNullable<ServerOptions["outbound"]>,
    urls: readonly string[],
  ) => {
    const { request } = await testServer(t, { outbound });
    const ask = (url: string) =>
      request("POST", "/webhooks", { json: { url, events: ["credits.low"] } });
    const replies = await Promise.all(urls.map(ask));
    return urls.filter((_, place) => replies[place]?.status === 201);
  };
  const [inside, beside] = ["http://10.1.2.3/hook", "https://10.2.0.1/"];
  const name = "http://shop.example/hooks";
  const urls = [inside, beside, name, "http://localhost/"];
  t.same(await taken({ allow: ["10.1.0.0/16"] }, urls), [inside]);
  t.same(await taken({ allow: ["127.0.0.0/8"] }, urls), ["http://localhost/"]);
  t.same(await taken({ allowHttp: true }, urls), [name]);
});

t.test("concurrent creations never exceed twenty webhooks", async (t) => {
  const { request } = await testServer(t);
  const json = { url: SOMEWHERE, events: ["credits.low"] };
  const ask = () => request("POST", "/webhooks", { json });
  const replies = await Promise.all(Array.from({ length: 30 }, ask));
  t.equal(replies.filter(({ status }) => status === 201).length, 20);
  t.ok(replies.every((one) => one.status === 201 || one.json.code === "conflict"));
});

t.test("webhooks and deliveries of other accounts are not found", async (t) => {
  const server = await testServer(t);
  const { id } = await subscribe(server, SOMEWHERE);
  const delivery = (await server.request("POST", `/webhooks/${id}/test`)).json;
  const as = await server.makeCaller({});
  const asks: readonly [method: string, path: string, json?: object][] = [
    ["GET", `/webhooks/${id}`],
    ["PATCH", `/webhooks/${id}`, { enabled: false }],
    ["DELETE", `/webhooks/${id}`],
    ["POST", `/webhooks/${id}/rotate-secret`, {}],
    ["POST", `/webhooks/${id}/test`],
    ["GET", `/webhooks/${id}/deliveries`],
    ["POST", `/deliveries/${delivery.id}/redeliver`],
  ];
  for (const [method, path, json] of asks) {
    const reply = await server.request(method, path, { as, ...(json && { json }) });
    t.equal(reply.status, 404, `${method} ${path}`);
  }
  t.same((await server.request("GET", "/webhooks", { as })).json.data, []);
  t.equal((await server.request("GET", `/webhooks/${id}`)).json.enabled, true);
});

t.test("the Starter plan can list webhooks, but not create them", async (t) => {
  const { request, makeCaller } = await testServer(t);
  const starter = await makeCaller({ plan: "starter" });
  const options = { as: null, headers: { Authorization: `Bearer ${starter.token}` } };
  const json = { url: SOMEWHERE, events: ["credits.low"] };
  t.equal((await request("POST", "/webhooks", { ...options, json })).json.code, "plan_required");
  t.equal((await request("GET", "/webhooks", options)).status, 200);
});

t.test("deliveries are paginated, newest first", async (t) => {
  const { request, ...server } = await testServer(t);
  const { id } = await subscribe({ request, ...server }, SOMEWHERE);
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) {
    ids.unshift((await request("POST", `/webhooks/${id}/test`)).json.id);
  }
  const seen: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query = cursor && `&cursor=${cursor}`;
    const { json } = await request("GET", `/webhooks/${id}/deliveries?limit=2${query}`);
    seen.push(...json.data.map((one: { id: string }) => one.id));
    cursor = json.next_cursor;
  }
  t.same(seen, ids);
});
