import t from "tap";
import { testServer } from "../helpers/server.ts";

const withKey = (key: string, json: object) => ({ json, headers: { "Idempotency-Key": key } });

t.test("a repeated request gets the same response and runs once", async (t) => {
  const server = await testServer(t);
  const source_id = await server.makeSource();
  const { credits } = (await server.request("GET", "/account")).json;
  const send = () =>
    server.request("POST", "/patterns", withKey("order-1", { source_id, group: "p4" }));
  const first = await send();
  const second = await send();
  t.equal(first.status, 201);
  t.equal(second.status, 201);
  t.same(second.json, first.json);
  t.equal(second.headers.get("ETag"), first.headers.get("ETag"));
  t.equal(first.headers.get("Idempotency-Replayed"), null);
  t.equal(second.headers.get("Idempotency-Replayed"), "true");
  t.equal((await server.request("GET", "/account")).json.credits, credits - 1);
  t.equal((await server.request("GET", "/patterns")).json.data.length, 1);
});

t.test("of forty concurrent requests with one key one has an effect", async (t) => {
  const server = await testServer(t);
  const source_id = await server.makeSource();
  const { credits } = (await server.request("GET", "/account")).json;
  const send = () => server.request("POST", "/patterns", withKey("k", { source_id, group: "pm" }));
  const replies = await Promise.all(Array.from({ length: 40 }, send));
  const made = replies.filter(({ status }) => status === 201);
  const waiting = replies.filter(({ status }) => status === 409);
  t.ok(made.length >= 1);
  t.equal(made.length + waiting.length, 40);
  t.equal(new Set(made.map(({ json }) => json.id)).size, 1);
  for (const { json, headers } of waiting) {
    t.equal(json.code, "idempotency_in_flight");
    t.equal(headers.get("Retry-After"), "1");
  }
  t.equal((await server.request("GET", "/account")).json.credits, credits - 1);
  t.equal((await server.request("GET", "/patterns")).json.data.length, 1);
});

t.test("a key cannot be used for another request", async (t) => {
  const server = await testServer(t);
  const source_id = await server.makeSource();
  const post = (path: string, json: object) => server.request("POST", path, withKey("k", json));
  t.equal((await post("/patterns", { source_id, group: "p4" })).status, 201);
  t.equal((await post("/patterns", { group: "p4", source_id })).status, 201, "in any order");
  t.equal(
    (await post("/patterns", { group: "p4", source_id, name: null })).status,
    201,
    "spelt out",
  );
  for (const [path, json] of [
    ["/patterns", { source_id, group: "p2" }],
    ["/sources/presets", { preset: "marble", seed: 1 }],
  ] as const) {
    t.match((await post(path, json)).json, { status: 422, code: "idempotency_mismatch" });
  }
  const stranger = await server.makeCaller({});
  const theirs = { ...withKey("k", { preset: "marble", seed: 1 }), as: stranger };
  t.equal((await server.request("POST", "/sources/presets", theirs)).status, 201);
});

t.test("a failed request can be repeated with its key", async (t) => {
  const server = await testServer(t);
  const source_id = await server.makeSource();
  const send = (id: number) =>
    server.request("POST", "/patterns", withKey("k", { source_id: id, group: "p4" }));
  t.equal((await send(source_id + 1)).status, 404);
  await server.db.accounts.update(server.account.id, { credits: 0 });
  t.equal((await send(source_id)).status, 402);
  await server.db.accounts.update(server.account.id, { credits: 1 });
  t.equal((await send(source_id)).status, 201);
  t.equal((await send(source_id)).status, 201);
});

t.test("every creation accepts a key, including those of pictures and secrets", async (t) => {
  const server = await testServer(t);
  const image = await server.request("GET", `/sources/${await server.makeSource()}/image`);
  const upload = withKey("upload", { data: image.bytes.toString("base64") });
  const preset = withKey("preset", { preset: "polka" });
  for (const [path, options] of [
    ["/sources/upload", upload],
    ["/sources/presets", preset],
  ] as const) {
    const [first, second] = [
      await server.request("POST", path, options),
      await server.request("POST", path, options),
    ];
    t.equal(first.status, 201);
    t.same(second.json, first.json);
  }
  const form = () => {
    const body = new FormData();
    body.append("file", new Blob([new Uint8Array(image.bytes)]), `${Math.random()}.png`);
    return { body, headers: { "Idempotency-Key": "form" } };
  };
  const sent = await server.request("POST", "/sources/upload", form());
  t.same((await server.request("POST", "/sources/upload", form())).json, sent.json, "any boundary");

  const person = { ...withKey("key", { name: "shop" }), as: null };
  const headers = { ...person.headers, Authorization: `Bearer ${server.token}` };
  const made = await server.request("POST", "/api-keys", { ...person, headers });
  const again = await server.request("POST", "/api-keys", { ...person, headers });
  t.match(made.json.secret, /^pf_/);
  t.equal(again.json.secret, made.json.secret);
});

t.test("rejects a malformed key", async (t) => {
  const server = await testServer(t);
  const source_id = await server.makeSource();
  for (const key of ["", "a b", "x".repeat(256), "\u00e9"]) {
    const refused = await server.request(
      "POST",
      "/patterns",
      withKey(key, { source_id, group: "p4" }),
    );
    t.match(refused.json, { status: 400, code: "malformed_request" });
  }
  const longest = withKey("x".repeat(255), { source_id, group: "p4" });
  t.equal((await server.request("POST", "/patterns", longest)).status, 201);
});
