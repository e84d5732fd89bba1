/** Quotas by plan: a 409 that names the quota, and their values in the account. */
import t, { type Test } from "tap";
import { DEFAULT_QUOTAS, type Quotas } from "../../db/index.ts";
import { createAccount } from "../../server/actions/accounts.ts";
import { callTool } from "../../server/mcp/call-tool.ts";
import { processEngine } from "../helpers/engine.ts";
import { until } from "../helpers/jobs.ts";
import { testLog } from "../helpers/log.ts";
import { testServer } from "../helpers/server.ts";
import { testServices } from "../helpers/services.ts";

const trial = (limits: Partial<typeof DEFAULT_QUOTAS.trial>) => ({
  ...DEFAULT_QUOTAS,
  trial: { ...DEFAULT_QUOTAS.trial, ...limits },
});

t.test("the account shows its usage and quotas", async (t) => {
  const server = await testServer(t);
  await server.makePattern();
  const { json } = await server.request("GET", "/account");
  t.match(json.usage, { sources: 1, source_bytes: Number, patterns: 1, api_keys: 1 });
  t.ok(json.usage.source_bytes > 1000);
  t.same(json.limits, {
    sources: 200,
    source_bytes: 2 ** 28,
    patterns: 1000,
    api_keys: 5,
    output_bytes: 2 ** 30,
    pinned_renders: 10_000,
    batch_items: 10_000,
    open_batches: 2,
    body_bytes_in_flight: 2 ** 26,
    renders_in_flight: 8,
  });
});

t.test("a request over a quota reports the quota, its limit and its use", async (t) => {
  const server = await testServer(t, { quotas: trial({ sources: 2, patterns: 3 }) });
  const source_id = await server.makeSource();
  const json = { source_id, group: "p4" };
  const make = () => server.request("POST", "/patterns", { json });
  const statuses = (await Promise.all(Array.from({ length: 12 }, make))).map((one) => one.status);
  t.same(statuses.toSorted(), [201, 201, 201, ...Array(9).fill(409)]);
  const refused = await make();
  t.match(refused.json, {
    status: 409,
    code: "quota_exceeded",
    title: "Quota exceeded",
    detail: "patterns: 3 of 3 used, 1 more requested",
    quota: "patterns",
    limit: 3,
    used: 3,
  });
  const { usage, credits } = (await server.request("GET", "/account")).json;
  t.equal(usage.patterns, 3);
  t.equal(credits, server.account.credits - 3, "what is refused costs nothing");

  await server.makeSource();
  for (const [path, body] of [
    ["presets", { preset: "stripes" }],
    ["upload", { data: "iVBORw0KGgo=" }],
    ["url", { url: "https://example.com/a.png" }],
  ] as const) {
    const { json } = await server.request("POST", `/sources/${path}`, { json: body });
    t.match(json, { code: "quota_exceeded", quota: "sources", limit: 2, used: 2 }, path);
  }
  const { data } = (await server.request("GET", "/patterns")).json;
  t.equal((await server.request("DELETE", `/patterns/${data[0].id}`)).status, 204);
  t.equal((await make()).status, 201);
});

t.test("the plan limits the number of keys", async (t) => {
  const server = await testServer(t);
  const create = async (token: string, count: number) => {
    const ask = () =>
      server.request("POST", "/api-keys", {
        as: null,
        json: { name: "shop" },
        headers: { Authorization: `Bearer ${token}` },
      });
    return Promise.all(Array.from({ length: count }, ask));
  };
  const { token } = await server.makeCaller({ plan: "pro" });
  for (const [whose, limit] of [
    [server.token, 5],
    [token, 20],
  ] as const) {
    const replies = await create(whose, 30);
    t.equal(replies.filter(({ status }) => status === 201).length, limit - 1, "one is there");
    const [refused] = replies.filter(({ status }) => status === 409);
    t.match(refused?.json, { code: "quota_exceeded", quota: "api_keys", limit, used: limit });
  }
});

t.test("rejects exports and mockups whose estimate exceeds the quota", async (t) => {
  const server = await testServer(t, { quotas: trial({ output_bytes: 5 * 2 ** 20 }) });
  const pattern = await server.makePattern({ effects: [] });
  const order = (side: number) =>
    server.request("POST", `/patterns/${pattern}/export`, {
      json: { width_mm: side, height_mm: side, dpi: 100, format: "png", rotation: 7 },
    });
  const large = await order(1000);
  t.match(large.json, { code: "quota_exceeded", quota: "output_bytes", used: 0 });
  t.equal((await order(50)).status, 202);
  const { used } = (await order(1000)).json;
  t.ok(used > 0, "one under way counts");
  const mockups = await server.request("POST", `/patterns/${pattern}/mockups`, { json: {} });
  t.match(mockups.json, { code: "quota_exceeded", quota: "output_bytes", used });
  const few = { json: { products: ["mug"] } };
  t.equal((await server.request("POST", `/patterns/${pattern}/mockups`, few)).status, 202);
});

t.test("a file larger than its estimate fails if it exceeds the quota", async (t) => {
  const quotas = trial({ output_bytes: 450_000 });
  const server = await testServer(t, { quotas, takesJobs: true });
  const pattern = await server.makePattern();
  const print = { width_mm: 50, height_mm: 50, dpi: 300, format: "jpeg", quality: 100 };
  const surface_effects = [{ id: "grain", params: { strength: 1 } }];
  const json = { ...print, surface_effects };
  const ordered = await server.request("POST", `/patterns/${pattern}/export`, { json });
  const { export_id } = ordered.json;
  const stored = () => server.db.exports.get(server.account.id, export_id);
  await until(async () => (await stored())?.finished_at != null);
  t.match(await stored(), { status: "failed", error: /^output_bytes: \d+ of 450000 used/ });
  t.equal((await server.db.accounts.usage(server.account.id)).output_bytes, 0);
});

/** Calls tools for an account with quotas. */
async function toolCaller(t: Test, quotas: Quotas) {
  const local = await testServices(t, await processEngine(), {}, {}, quotas);
  const services = { ...local, publicUrl: "http://localhost", editorUrl: "http://localhost" };
  const account = await createAccount(services.db, { email: "a@example.com", plan: "trial" });
  const { signal } = new AbortController();
  const context = { services, transport: "http" as const, account, signal, log: testLog().log };
  return (name: string, given: object) => callTool({ name, arguments: given }, context);
}

t.test("MCP errors name the quota and advise what to do", async (t) => {
  const call = await toolCaller(t, trial({ patterns: 0 }));
  const source = await call("generate_preset", { preset: "stripes" });
  const source_id = source.structuredContent?.id;
  const { isError, content } = await call("create_pattern", { source_id, group: "p4" });
  t.equal(isError, true);
  t.match(content, [
    {
      text: /^quota_exceeded: patterns: 0 of 0 used, 1 more requested\. Delete what .*delete_pattern/,
    },
  ]);
});

t.test("a render beyond the quota of links is shown without a link", async (t) => {
  const call = await toolCaller(t, trial({ pinned_renders: 1 }));
  const source = await call("generate_preset", { preset: "stripes" });
  const source_id = source.structuredContent?.id;
  const pattern = await call("create_pattern", { source_id, group: "p4" });
  const render = async (size: number) => {
    const pattern_id = pattern.structuredContent?.id;
    const { content } = await call("render_pattern_tile", { pattern_id, size });
    t.match(content, [{ type: "image" }, { type: "text" }]);
    const text = content.find((part) => part.type === "text")?.text ?? "";
    return JSON.parse(text).full;
  };
  const linked = await render(32);
  t.match(linked, { url: /^http/, note: undefined });
  const note = `quota_exceeded: the account has links to 1 pictures, as many as its plan allows. The first of them expires at ${linked.expires_at}.`;
  t.match(await render(48), { url: null, expires_at: null, note, width: 48, format: "png" });
  t.match(await render(32), { url: /^http/ }, "the one that has a link keeps it");
});
