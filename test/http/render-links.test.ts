import t from "tap";
import { testServer } from "../helpers/server.ts";

const bare = { as: null } as const;

t.test("a signed address gives the picture to whoever has it", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const fields = { size: 32, format: "jpeg", quality: 70 };
  const made = await server.request("POST", `/patterns/${id}/render-url`, {
    json: { ...fields, expires_in: 3600 },
  });
  t.equal(made.status, 200);
  const lasts = Date.parse(made.json.expires_at) - Date.now();
  t.ok(lasts > 3_590_000 && lasts <= 3_600_000);
  t.ok(made.json.url.startsWith(`${server.url}/api/v1/renders/pattern-${id}.jpeg?token=`));

  const path = made.json.url.slice(`${server.url}/api/v1`.length);
  const linked = await server.request("GET", path, bare);
  const direct = await server.request("POST", `/patterns/${id}/render`, { json: fields });
  t.equal(linked.status, 200);
  t.equal(linked.headers.get("Content-Type"), "image/jpeg");
  t.ok(linked.bytes.equals(direct.bytes));
  t.match(linked.headers.get("RateLimit"), /^"links";r=599;/, "outside of the key's limit");
  const tag = linked.headers.get("ETag") as string;
  const known = await server.request("GET", path, { ...bare, headers: { "If-None-Match": tag } });
  t.equal(known.status, 304);
  const head = await server.request("HEAD", path, bare);
  t.equal(head.headers.get("Content-Length"), String(linked.bytes.length));
});

t.test("it does not count, and works while the key's limit is used up", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const { url } = (
    await server.request("POST", `/patterns/${id}/render-url`, { json: { size: 16 } })
  ).json;
  await Promise.all(Array.from({ length: 120 }, () => server.request("GET", "/groups")));
  t.equal((await server.request("GET", "/groups")).status, 429);
  t.equal((await fetch(url)).status, 200);
});

t.test(
  "it ends with its time, its pattern and its account's plan, and cannot be forged",
  async (t) => {
    const server = await testServer(t);
    const id = await server.makePattern();
    const sign = async (json: object) =>
      (await server.request("POST", `/patterns/${id}/render-url`, { json })).json.url as string;
    const url = await sign({ size: 16 });
    const code = async (address: string) => {
      const response = await fetch(address);
      return response.ok ? response.status : ((await response.json()) as { code: string }).code;
    };
    t.equal(await code(url), 200);
    const [head, payload, signature] = new URL(url).searchParams.get("token")?.split(".") ?? [];
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const larger = { ...claims, fields: { ...claims.fields, size: 17 } };
    const forged = Buffer.from(JSON.stringify(larger)).toString("base64url");
    for (const token of [`${head}.${forged}.${signature}`, `${payload}`, "", server.token]) {
      const address = new URL(url);
      address.searchParams.set("token", token);
      t.equal(await code(address.href), "not_found");
    }
    const short = await sign({ size: 16, expires_in: 1 });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    t.equal(await code(short), "not_found", "expired");

    const { id: account } = server.account;
    await server.db.accounts.update(account, { frozen: true });
    t.equal(await code(url), "account_frozen");
    await server.db.accounts.update(account, { frozen: false, plan: "starter" });
    t.equal(await code(url), "plan_required");
    await server.db.accounts.update(account, { plan: "pro" });
    t.equal(await code(url), 200);
    await server.request("DELETE", `/patterns/${id}`);
    t.equal(await code(url), "not_found");
  },
);

t.test("what cannot be rendered is not signed, nor what is somebody else's", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const sign = (json: object, options = {}) =>
    server.request("POST", `/patterns/${id}/render-url`, { json, ...options });
  t.equal((await sign({ size: 15 })).json.errors[0].path, "/size");
  t.equal((await sign({ mode: "surface" })).status, 422);
  t.equal((await sign({ expires_in: 90 * 86_400 + 1 })).json.errors[0].path, "/expires_in");
  t.equal((await sign({ size: 16 }, { as: await server.makeCaller({}) })).status, 404);
});
