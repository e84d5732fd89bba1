import { decodeJwt, SignJWT } from "jose";
import t, { type Test } from "tap";
import { createAccount } from "../../server/actions/accounts.ts";
import { inputCheck } from "../../server/actions/input.ts";
import { createPattern, NewPattern } from "../../server/actions/patterns.ts";
import {
  createRenderLink,
  followRenderLink,
  openLink,
  RenderLinkFields,
  renderLinkedPicture,
} from "../../server/actions/render-links.ts";
import { uploadSource } from "../../server/actions/sources.ts";
import { createRenderLinks } from "../../server/actions/tokens.ts";
import { processEngine } from "../helpers/engine.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { etagOf, testServer } from "../helpers/server.ts";
import { testServices } from "../helpers/services.ts";

const checkLink = inputCheck(RenderLinkFields, { fillDefaults: true });
const checkPattern = inputCheck(NewPattern, { fillDefaults: true });

const bare = { as: null } as const;

t.test("a signed URL returns the picture without authentication", async (t) => {
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
  const tag = etagOf(linked);
  const known = await server.request("GET", path, { ...bare, headers: { "If-None-Match": tag } });
  t.equal(known.status, 304);
  const head = await server.request("HEAD", path, bare);
  t.equal(head.headers.get("Content-Length"), String(linked.bytes.length));
});

t.test("a signed URL is not subject to the key's rate limit", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const { url } = (
    await server.request("POST", `/patterns/${id}/render-url`, { json: { size: 16 } })
  ).json;
  await Promise.all(Array.from({ length: 120 }, () => server.request("GET", "/groups")));
  t.equal((await server.request("GET", "/groups")).status, 429);
  t.equal((await fetch(url)).status, 200);
});

/** The status of a link, with the problem's code if it fails. */
async function outcome(url: string): Promise<string> {
  const response = await fetch(url);
  if (response.ok) return String(response.status);
  const { code } = await response.json();
  return `${response.status} ${code}`;
}

/** A server with a pattern, and a function that signs links to its renders. */
async function withPattern(t: Test, fields: object = {}) {
  const server = await testServer(t);
  const id = await server.makePattern(fields);
  const sign = async (json: object = { size: 32 }): Promise<string> =>
    (await server.request("POST", `/patterns/${id}/render-url`, { json })).json.url;
  const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
  return { server, id, sign, bytesOf };
}

t.test("a signed URL keeps its picture when the pattern changes", async (t) => {
  const { server, id, sign, bytesOf } = await withPattern(t, { name: "First" });
  const variants = ["p4", "p4m", "p1"];
  const links: { url: string; bytes: Buffer }[] = [];
  for (const group of variants) {
    await server.request("PATCH", `/patterns/${id}`, { json: { group, name: group } });
    const url = await sign();
    const { bytes } = await server.request("POST", `/patterns/${id}/render`, {
      json: { size: 32 },
    });
    links.push({ url, bytes });
  }
  t.equal(new Set(links.map(({ bytes }) => bytes.toString("base64"))).size, 3, "three pictures");
  await server.request("PATCH", `/patterns/${id}`, { json: { motif: { rotation: 33 } } });
  for (const { url, bytes } of links) t.ok(bytes.equals(await bytesOf(url)), "after a change");
  await server.request("DELETE", `/patterns/${id}`);
  for (const { url, bytes } of links) t.ok(bytes.equals(await bytesOf(url)), "after deletion");
  const named = await fetch(links[1]?.url ?? "");
  t.match(named.headers.get("Content-Disposition"), "p4m-p4m-32.png", "its name is pinned, too");
});

t.test("caches may store its picture until the link expires", async (t) => {
  const { sign } = await withPattern(t);
  const url = await sign({ size: 32, expires_in: 7_776_000 });
  const whole = await fetch(url);
  const [, age] =
    /^public, max-age=(\d+), immutable$/.exec(whole.headers.get("Cache-Control") ?? "") ?? [];
  t.ok(Number(age) > 7_775_000 && Number(age) <= 7_776_000, `${age} seconds`);
  const tag = whole.headers.get("ETag") ?? "";
  const bytes = Buffer.from(await whole.arrayBuffer());
  const part = await fetch(url, { headers: { Range: "bytes=8-15", "If-Range": tag } });
  t.equal(part.status, 206);
  t.ok(bytes.subarray(8, 16).equals(Buffer.from(await part.arrayBuffer())));
  const known = await fetch(url, { headers: { "If-None-Match": tag } });
  t.equal(known.status, 304);
  t.match(known.headers.get("Cache-Control"), /^public, max-age=\d+, immutable$/);
});

t.test("signed URLs of the same picture share a row, which expires with the last", async (t) => {
  const { server, sign } = await withPattern(t);
  const long = await sign({ size: 32, expires_in: 3600 });
  const short = await sign({ size: 32, expires_in: 60 });
  t.not(long, short);
  const tokens = [long, short].map((url) => new URL(url).searchParams.get("token") ?? "");
  t.ok(tokens.every((token) => token.length < 200));
  const renders = tokens.map((token) => decodeJwt(token).render);
  t.equal(renders[0], renders[1]);
  await server.db.deleteExpired();
  t.same(await Promise.all([outcome(long), outcome(short)]), ["200", "200"]);
});

t.test("a forged link is not found, an expired one is gone", async (t) => {
  const { server, sign } = await withPattern(t);
  const url = await sign();
  const token = new URL(url).searchParams.get("token") ?? "";
  const [head, payload = "", signature] = token.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  const longer = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 1 }));
  const at = (token: string) => {
    const address = new URL(url);
    address.searchParams.set("token", token);
    return address.href;
  };
  const forged = `${head}.${longer.toString("base64url")}.${signature}`;
  const bare = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
  for (const token of [forged, bare, payload, "", server.token, "a".repeat(5000)]) {
    t.equal(await outcome(at(token)), "404 not_found", token.slice(0, 40));
  }
  const links = createRenderLinks(await server.db.secrets.get("render links"));
  const id = Buffer.from(String(claims.render), "base64url").toString("hex");
  const hour = 3_600_000;
  t.equal(await outcome(at(await links.sign(id, new Date(Date.now() + hour)))), "200");
  t.equal(await outcome(at(await links.sign(id, new Date(Date.now() - hour)))), "410 gone");
  const unknown = await links.sign("00".repeat(16), new Date(Date.now() + hour));
  t.equal(await outcome(at(unknown)), "410 gone");
  const earlier = await new SignJWT({ pattern: 1, fields: {} })
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime("1h")
    .sign(await server.db.secrets.get("render links"));
  t.equal(await outcome(at(earlier)), "410 gone", "made before links were pinned");
});

t.test("a signed URL is disabled while its account may not render", async (t) => {
  const { server, sign } = await withPattern(t);
  const url = await sign();
  const { id } = server.account;
  await server.db.accounts.update(id, { frozen: true });
  t.equal(await outcome(url), "402 account_frozen");
  await server.db.accounts.update(id, { frozen: false, plan: "starter" });
  t.equal(await outcome(url), "403 plan_required");
  await server.db.accounts.update(id, { plan: "pro" });
  t.equal(await outcome(url), "200");
});

t.test("deleting the source disables the link, even if its picture is cached", async (t) => {
  const { server, id, sign, bytesOf } = await withPattern(t);
  const url = await sign();
  const before = await bytesOf(url);
  const { source_id } = (await server.request("GET", `/patterns/${id}`)).json;
  await server.request("DELETE", `/patterns/${id}`);
  // Another account's source with the same bytes does not count.
  const stranger = await server.makeCaller({});
  const data = Buffer.from(pngOf(photograph(96, 64))).toString("base64");
  await server.request("POST", "/sources/upload", { json: { data }, as: stranger });
  t.equal((await server.request("DELETE", `/sources/${source_id}`)).status, 204);
  t.equal(await outcome(url), "410 gone");
  await server.request("POST", "/sources/upload", { json: { data } });
  t.ok(before.equals(await bytesOf(url)), "the same bytes, uploaded again, bring it back");
});

t.test("after an upgrade of the engine only cached pictures are served", async (t) => {
  const engine = await processEngine();
  const addresses = { publicUrl: "https://a.test", editorUrl: "https://a.test/editor" };
  const services = { ...(await testServices(t, engine)), ...addresses };
  const account = await createAccount(services.db, { email: "a@example.com", plan: "trial" });
  const picture = pngOf(photograph(96, 64));
  const { signal } = new AbortController();
  const { id: source_id } = await uploadSource(services, account.id, picture, signal);
  const design = checkPattern({ source_id, group: "p4" });
  const { id } = await createPattern(services, account, design, signal);
  const sign = async (size: number) => {
    const { url } = await createRenderLink(services, account.id, id, checkLink({ size }));
    return new URL(url).searchParams.get("token") ?? "";
  };
  const [seen, unseen] = [await sign(32), await sign(33)];
  const follow = async (from: typeof services, token: string) =>
    renderLinkedPicture(from, await followRenderLink(from, await openLink(from, token)), signal);
  const first = await follow(services, seen);
  const upgraded = { ...services, engine: { ...engine, version: "another" } };
  const kept = await follow(upgraded, seen);
  t.ok(Buffer.from(first.bytes ?? []).equals(kept.bytes ?? Buffer.of()));
  await t.rejects(followRenderLink(upgraded, await openLink(upgraded, unseen)), {
    name: "LinkGone",
  });
  t.ok(await followRenderLink(services, await openLink(services, unseen)));
});

t.test("rejects signing invalid renders and patterns of other accounts", async (t) => {
  const server = await testServer(t);
  const id = await server.makePattern();
  const sign = (json: object, options = {}) =>
    server.request("POST", `/patterns/${id}/render-url`, { json, ...options });
  t.equal((await sign({ size: 15 })).json.errors[0].path, "/size");
  t.equal((await sign({ mode: "surface" })).status, 422);
  t.equal((await sign({ expires_in: 90 * 86_400 + 1 })).json.errors[0].path, "/expires_in");
  t.equal((await sign({ size: 16 }, { as: await server.makeCaller({}) })).status, 404);
});
