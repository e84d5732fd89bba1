/** Processes with one role each do together what a process with all roles does. */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import t from "tap";
import { until } from "../helpers/jobs.ts";
import { photograph, pngOf } from "../helpers/pictures.ts";
import { type Service, startService } from "../helpers/service.ts";
import { keyedDatabase } from "../mcp/keyed-database.ts";
import { render, send as sendMcp } from "../mcp/streamable-client.ts";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** A picture that takes several jobs, and is streamed. */
const SHEET = {
  mode: "surface",
  surface_width: 1100,
  surface_height: 16_000,
  surface_effects: [{ id: "vignette", params: { strength: 0.5 } }],
};

const database = await keyedDatabase(t, "agency");
const { DATABASE_URL, SERVICE_API_KEY: key, query } = database;

const start = (environment: Readonly<Record<string, string>>) =>
  startService(t, { DATABASE_URL, ...environment });

async function call(url: string, method: string, path: string, body?: object | FormData) {
  const isForm = body instanceof FormData;
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { "X-API-Key": key, ...(!isForm && { "Content-Type": "application/json" }) },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, bytes, headers: response.headers };
}

async function make(url: string, path: string, body: object | FormData) {
  const { status, bytes } = await call(url, "POST", path, body);
  if (status >= 300) throw new Error(`${path}: ${bytes}`);
  return JSON.parse(bytes.toString());
}

/** Has a service make one of everything, of a new source; returns what it can be compared by. */
async function makeAll(url: string) {
  const form = new FormData();
  form.append("file", new Blob([Buffer.from(pngOf(photograph(300, 200)))]), "a.png");
  const { id: source_id, created_at: _, ...source } = await make(url, "/sources/upload", form);
  const preset = await make(url, "/sources/presets", { preset: "floral", seed: 7 });
  const { id } = await make(url, "/patterns", { source_id, group: "p4" });
  const rendered = async (fields: object) => {
    const { status, bytes, headers } = await call(url, "POST", `/patterns/${id}/render`, fields);
    return { status, sha256: sha256(bytes), type: headers.get("Content-Type") };
  };
  const read = async (path: string) => {
    const { status, bytes } = await call(url, "GET", path);
    if (status !== 200) throw new Error(`${path}: ${bytes}`);
    return JSON.parse(bytes.toString());
  };
  const done = async (path: string) => {
    for (;;) {
      const { data = [], ...one } = await read(path);
      const found = data[0] ?? one;
      if (["done", "failed", "finished"].includes(found.status)) return found;
      await delay(200);
    }
  };
  const order = { width_mm: 300, height_mm: 200, cell_mm: 40, format: "tiff" };
  const { export_id } = await make(url, `/patterns/${id}/export`, order);
  const { status, certificate } = await done(`/exports/${export_id}`);
  const file = await call(url, "GET", `/exports/${export_id}/file`);
  await make(url, `/patterns/${id}/mockups`, { products: ["mug"] });
  const mockup = await done(`/patterns/${id}/mockups`);
  const drawn = await call(url, "GET", `/mockups/${mockup.id}/image`);
  const items = [64, 65, 66].map((size) => ({ pattern_id: id, size }));
  const batch = await make(url, "/batches", { items });
  await done(`/batches/${batch.id}`);
  const manifest = (await call(url, "GET", `/batches/${batch.id}/manifest`)).bytes.toString();
  const shown = await sendMcp({ url, key }, { body: render(1, id, 80) });
  const [{ result }] = shown.messages as [{ result: { content: { data?: string }[] } }];
  const invalid = await call(url, "POST", `/patterns/${id}/render`, { size: 99_999 });
  const { request_id: _id, ...problem } = JSON.parse(invalid.bytes.toString());
  const unreadable = new FormData();
  unreadable.append("file", new Blob(["no picture"]), "a.png");
  const refused = await call(url, "POST", "/sources/upload", unreadable);
  return {
    source,
    preset: preset.sha256,
    tile: await rendered({ size: 256 }),
    avif: await rendered({ size: 100, format: "avif" }),
    sheet: await rendered(SHEET),
    export: { status, certificate, sha256: sha256(file.bytes) },
    mockup: { status: drawn.status, sha256: sha256(drawn.bytes) },
    batch: [...manifest.matchAll(/"sha256":"(\w+)"/g)].map(([, hash]) => hash),
    mcp: result.content.flatMap(({ data }) => (data ? [sha256(Buffer.from(data))] : [])),
    problem,
    refused: [refused.status, JSON.parse(refused.bytes.toString()).code],
  };
}

const stop = async ({ process: child, ended }: Service) => {
  child.kill("SIGTERM");
  return ended;
};

t.test("processes with one role each return the same bytes", { timeout: 300_000 }, async (t) => {
  const whole = await start({});
  const expected = await makeAll(await whole.url());
  t.equal(await stop(whole), 0);
  t.equal(expected.export.status, "done");
  t.equal(expected.mockup.status, 200);
  t.equal(expected.batch.length, 3);
  t.equal(expected.mcp.length, 1);

  const nodes = [
    await start({ ROLES: "render", RENDER_PORT: "0" }),
    await start({ ROLES: "api" }),
    await start({ ROLES: "jobs" }),
  ] as const;
  const [, api, jobs] = nodes;
  const [renders, url, worker] = await Promise.all(nodes.map((node) => node.url()));
  t.same(await makeAll(url ?? ""), expected);

  t.ok(jobs.lines.some((line) => line.includes('"job":"make_export"')));
  t.notOk(api.lines.some((line) => line.includes('"job":')));
  for (const other of [renders, worker]) {
    t.equal((await fetch(`${other}/healthz`)).status, 200);
    t.equal((await fetch(`${other}/readyz`)).status, 200);
    t.equal((await fetch(`${other}/api/v1/groups`)).status, 404);
    t.equal((await fetch(`${other}/`)).status, 404);
  }
  t.match(await (await fetch(`${url}/healthz`)).json(), { backend: "webasm", threads: 1 });
  for (const node of nodes) t.equal(await stop(node), 0);
  t.same(await query("select from render_nodes"), []);
});

t.test(
  "an api node without a render node of its engine says so",
  { timeout: 120_000 },
  async (t) => {
    const api = await start({ ROLES: "api" });
    const url = await api.url();
    const preset = () => call(url, "POST", "/sources/presets", { preset: "floral", seed: 1 });
    const ready = async () => (await (await fetch(`${url}/readyz`)).json()).checks.render_nodes;
    t.same(await ready(), { status: "away" });
    const refused = await preset();
    t.equal(refused.status, 503);
    t.ok(Number(refused.headers.get("Retry-After")) > 0);
    t.match(JSON.parse(refused.bytes.toString()), { code: "overloaded" });
    t.equal((await call(url, "GET", "/account")).status, 200);

    const other = { ROLES: "render", RENDER_PORT: "0", ENGINE_BACKEND: "cpu" };
    await (await start(other)).url();
    await api.line(
      /no render node with the engine \d+-webasm of orbifold \S+ with calls \d+, only \d+-cpu of/,
    );
    t.equal((await preset()).status, 503);
    const joined = await start({ ROLES: "render", RENDER_PORT: "0" });
    await joined.url();
    t.equal((await preset()).status, 201);
    await until(async () => (await ready()).status === "ok");
  },
);
