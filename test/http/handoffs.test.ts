/** What shops say of a handoff, and read back of it. */
import sharp from "sharp";
import t from "tap";
import {
  bearer,
  beginSession,
  design,
  handOver,
  handOverExpired,
  open,
} from "../helpers/guest-sessions.ts";
import { until } from "../helpers/jobs.ts";
import { testServer } from "../helpers/server.ts";
import { deliver, LOOPBACK, receiver, subscribe } from "../helpers/webhooks.ts";

const MUG = { title: "Mug", mockup: "mug", width_mm: 60, height_mm: 30, dpi: 100 };

t.test("a customer's session contains the product, the locale and the way back", async (t) => {
  const server = await testServer(t);
  const { begun } = await beginSession(server, {
    product: MUG,
    locale: "de-ch",
    cancel_url: "https://shop.example/mugs",
  });
  t.match(begun.json, { product: MUG, locale: "de-CH", cancel_url: "https://shop.example/mugs" });
  t.notOk("state" in begun.json || "metadata" in begun.json, "the shop's own");
  const plain = await beginSession(server);
  t.match(plain.begun.json, { product: null, locale: null, cancel_url: null });
  const broken = await beginSession(server, { product: { title: "Mug \udfff" } });
  t.match(broken.begun.json, { product: { title: "Mug \ufffd" } });
});

t.test("reports what was expected in place of invalid fields", async (t) => {
  const server = await testServer(t);
  const issues = async (fields: object) => {
    const { made } = await handOver(server, fields);
    t.equal(made.status, 422, JSON.stringify(fields).slice(0, 80));
    return made.json.errors;
  };
  t.match(await issues({ product: { mockup: "mgu" } }), [{ path: "/product/mockup" }]);
  t.match(await issues({ product: { size: 3 } }), [{ path: "/product/size" }]);
  t.match(await issues({ product: { title: "a\u0000" } }), [{ path: "/product/title" }]);
  t.match(await issues({ product: { width_mm: 100 } }), [
    { path: "/product/height_mm", message: /two sides/ },
  ]);
  t.match(await issues({ product: { width_mm: 2000, height_mm: 2000, dpi: 600 } }), [
    { path: "/product/dpi", message: /47244 × 47244/, expected: /about \d+ dpi/ },
  ]);
  t.match(await issues({ state: "x".repeat(501) }), [{ path: "/state" }]);
  t.match(await issues({ state: "a\nb" }), [{ path: "/state" }]);
  t.match(await issues({ metadata: [] }), [{ path: "/metadata" }]);
  t.match(await issues({ metadata: { note: "x".repeat(4096) } }), [
    { path: "/metadata", message: /has 4107 bytes: expected .* 4096 bytes/ },
  ]);
  t.match(await issues({ metadata: { note: "\u0000" } }), [{ path: "/metadata" }]);
  t.match(await issues({ metadata: { note: "\ud800" } }), [{ path: "/metadata" }]);
  t.match(await issues({ locale: "german please" }), [
    { path: "/locale", expected: /BCP 47/, received: /german please/ },
  ]);
  const all = await issues({
    return_url: "ftp://shop.example",
    cancel_url: "javascript:alert(1)",
    locale: "x",
  });
  t.same(
    all.map(({ path }: { path: string }) => path),
    ["/locale"],
    "what the schema says comes first",
  );
  t.match(await issues({ return_url: "ftp://a.example", cancel_url: "javascript:alert(1)" }), [
    { path: "/return_url" },
    { path: "/cancel_url" },
  ]);
  await server.request("PATCH", "/account", { json: { return_origins: ["https://shop.example"] } });
  t.match(await issues({ cancel_url: "https://evil.example/" }), [
    { path: "/cancel_url", expected: /shop\.example/ },
  ]);
  const note = "backslash \\u0000 \\ud800";
  const { made } = await handOver(server, { metadata: { note } });
  t.equal(made.status, 201);
  const { metadata } = (await server.request("GET", `/embed/handoffs/${made.json.handoff_id}`))
    .json;
  t.same(metadata, { note });
});

t.test("a shop reads the same snapshot after the pattern was changed or deleted", async (t) => {
  const server = await testServer(t);
  const { begun, token } = await beginSession(server, {
    product: MUG,
    metadata: { cart: "c-81" },
    state: "s",
  });
  const path = `/embed/handoffs/${begun.json.handoff_id}`;
  const read = async (query = "") => (await server.request("GET", `${path}${query}`)).json;
  t.match(await read(), { status: "open", snapshot: null, links: null, pattern_id: null });
  const { pattern, source } = await design(server, token);
  const finish = (pattern_id: number) =>
    server.request("POST", "/embed/finish", bearer(token, { pattern_id }));
  await finish(pattern);
  const before = await read();
  t.match(before, {
    product_id: 4711,
    status: "finished",
    pattern_id: pattern,
    product: MUG,
    metadata: { cart: "c-81" },
    state: "s",
    snapshot: { pattern_id: pattern, source_id: source, group: "p4", name: null, palette: null },
  });
  const { preview, mockup, print } = before.links;
  const days = (Date.parse(preview.expires_at) - Date.now()) / 86_400_000;
  t.ok(days > 6.9 && days <= 7);
  const picture = async ({ url }: { url: string }) => {
    const response = await fetch(url);
    t.equal(response.status, 200, url);
    return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers };
  };
  const tile = await picture(preview);
  t.match(await sharp(tile.bytes).metadata(), { width: 512, height: 512, format: "png" });
  const sheet = await sharp((await picture(print)).bytes).metadata();
  t.match(sheet, { width: 236, height: 118, density: 100 });
  const mug = await picture(mockup);
  t.match(await sharp(mug.bytes).metadata(), { width: 1600, height: 1600, format: "jpeg" });
  t.match(mug.headers.get("Cache-Control"), /^public, max-age=\d+, immutable$/);
  t.match(mug.headers.get("Content-Disposition"), `pattern-${pattern}-mug.jpg`);
  const known = { headers: { "If-None-Match": mug.headers.get("ETag") ?? "" } };
  t.equal((await fetch(mockup.url, known)).status, 304);

  await server.request("PATCH", `/patterns/${pattern}`, { json: { group: "p6", name: "new" } });
  await finish(pattern);
  const { snapshot, links } = await read();
  t.same({ ...snapshot, handed_over_at: 0 }, { ...before.snapshot, handed_over_at: 0 });
  t.ok((await picture(links.preview)).bytes.equals(tile.bytes));
  t.ok((await picture(links.mockup)).bytes.equals(mug.bytes));
  const json = { source_id: source, group: "p2" };
  const second = (await server.request("POST", "/patterns", bearer(token, json))).json.id;
  await finish(second);
  t.match(await read(), { pattern_id: second, snapshot: { group: "p2" } });
  await server.request("DELETE", `/patterns/${pattern}`);
  t.same((await read(`?pattern_id=${pattern}`)).snapshot.group, "p4", "that of the order");
  t.equal((await picture(mockup)).headers.get("ETag"), mug.headers.get("ETag"));

  const other = await server.makeCaller({ plan: "agency" });
  t.equal((await server.request("GET", path, { as: other })).status, 404);
  t.same((await server.request("GET", "/embed/handoffs", { as: other })).json.data, []);
  t.equal((await server.request("GET", path, bearer(token))).status, 403, "not for guests");
  t.equal((await server.request("GET", `${path}?pattern_id=999`)).status, 404);
  await server.db.accounts.update(server.account.id, { frozen: true });
  t.equal((await fetch(mockup.url)).status, 402);
});

t.test("lists handoffs with their status, the newest first", async (t) => {
  const server = await testServer(t);
  const opened = await beginSession(server);
  const { made } = await handOver(server);
  await server.request("POST", "/embed/cancel", bearer(opened.token));
  const first = (await server.request("GET", "/embed/handoffs?limit=1")).json;
  t.match(first.data, [{ id: made.json.handoff_id, status: "open" }]);
  const next = await server.request("GET", `/embed/handoffs?cursor=${first.next_cursor}`);
  t.match(next.json.data, [{ id: opened.begun.json.handoff_id, status: "cancelled" }]);
});

t.test("design.applied says whether the design was started or finished", async (t) => {
  const server = await testServer(t, LOOPBACK);
  await deliver(t, server.db);
  const target = await receiver(t);
  await subscribe(server, target.url, ["design.applied"]);
  const { begun, token } = await beginSession(server, { metadata: { cart: "c-81" } });
  const { pattern } = await design(server, token);
  const { pattern: second } = await design(server, token);
  // A repeated request is no other event.
  for (const pattern_id of [pattern, pattern, second]) {
    await server.request("POST", "/embed/finish", bearer(token, { pattern_id }));
  }
  await until(() => target.received.length === 3);
  const { handoff_id } = begun.json;
  const common = { handoff_id, product_id: 4711, metadata: { cart: "c-81" } };
  const sent = target.received.map(({ json }) => json.data);
  const order = ({ pattern_id = 0 }) => pattern_id;
  t.match(
    sent.toSorted((a, b) => order(a) - order(b)),
    [
      { ...common, status: "started", pattern_id: undefined },
      { ...common, status: "finished", pattern_id: pattern },
      { ...common, status: "finished", pattern_id: second },
    ],
  );
});

t.test("errors tell a customer nothing about the shop's account", async (t) => {
  const server = await testServer(t);
  const { token } = await beginSession(server, { max_patterns: 1 });
  const unused = await handOver(server);
  const neutral = { detail: "the shop cannot take designs right now" };
  const draw = async () =>
    (await server.request("POST", "/sources/presets", bearer(token, { preset: "stripes" }))).json;
  const { update } = server.db.accounts;
  await update(server.account.id, { credits: 0 });
  t.match(await draw(), { ...neutral, code: "credits_exhausted" });
  await update(server.account.id, { credits: 9, plan: "starter" });
  t.match(await draw(), { ...neutral, code: "plan_required" });
  await update(server.account.id, { plan: "pro", frozen: true });
  t.match(await draw(), { ...neutral, code: "account_frozen" });
  const begin = { ...open, json: { handoff: unused.handoff } };
  const refused = await server.request("POST", "/embed/sessions", begin);
  t.match(refused.json, { ...neutral, status: 402, code: "account_frozen" });
  await update(server.account.id, { frozen: false });
  await draw();
  t.match(await draw(), { code: "quota_exceeded", detail: /allows no more pictures/, limit: 1 });
});

t.test("a link says why it opens no session", async (t) => {
  const server = await testServer(t);
  const begin = async (handoff: string) =>
    (await server.request("POST", "/embed/sessions", { ...open, json: { handoff } })).json;
  t.match(await begin("foreign"), { status: 404, detail: /not one of this service/ });
  const used = await handOver(server);
  await begin(used.handoff);
  t.match(await begin(used.handoff), { status: 404, detail: /used already/ });
  const { handoff: old } = await handOverExpired(server);
  t.match(await begin(old), { status: 404, detail: /has expired/ });
});
