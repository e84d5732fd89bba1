/** Render nodes are killed, ended and started while an api node has them render: no request is lost. */
import { setTimeout as delay } from "node:timers/promises";
import t, { type Test } from "tap";
import { createApiKey } from "../../server/actions/api-keys.ts";
import { until } from "../helpers/jobs.ts";
import { type Service, startService } from "../helpers/service.ts";
import { keyedDatabase } from "../mcp/keyed-database.ts";

const CLIENTS = 6;

/** How long each state of the nodes lasts. */
const STATE_MS = 3000;

/** Renders that a node has made for others. */
const RENDERED = 'orbifold_node_call_seconds_count{call="render",result="success"}';

/** Reads the metrics of a service by their names and labels. */
async function metricsOf(service: Pick<Service, "line">) {
  const [, url = ""] = await service.line(/metrics at (http:[^"\s]+)/);
  const lines = (await (await fetch(url)).text()).split("\n");
  return (start: string) =>
    lines.flatMap((line) => (line.startsWith(start) ? Number(line.split(" ").at(-1)) : []))[0] ?? 0;
}

async function nodes(t: Test) {
  const { DATABASE_URL, SERVICE_API_KEY: key, db, account } = await keyedDatabase(t, "agency");
  const start = async (environment: Readonly<Record<string, string>>) => {
    const service = await startService(t, { DATABASE_URL, METRICS_PORT: "0", ...environment });
    return { ...service, url: await service.url() };
  };
  const startRender = () => start({ ROLES: "render", RENDER_PORT: "0" });
  const { url, ...api } = await start({ ROLES: "api" });
  const post = (secret: string, path: string, json: object, signal?: AbortSignal) =>
    fetch(`${url}/api/v1${path}`, {
      method: "POST",
      headers: { "X-API-Key": secret, "Content-Type": "application/json" },
      body: JSON.stringify(json),
      ...(signal && { signal }),
    });
  const make = async (path: string, json: object) =>
    (await (await post(key, path, json)).json()).id;
  /** Returns a key in place of another one: a key may make 600 requests in a minute, and an account has 20. */
  const replaceKey = async (old: { readonly key: { readonly id: number } } | null) => {
    if (old !== null) await db.apiKeys.revoke(account.id, old.key.id);
    return createApiKey(db, account.id, "client");
  };
  return { DATABASE_URL, db, account, api, key, startRender, post, make, replaceKey };
}

t.test("render nodes come and go without a lost request", { timeout: 300_000 }, async (t) => {
  const { startRender, post, make, replaceKey } = await nodes(t);
  let [one, two] = [await startRender(), await startRender()];
  const source_id = await make("/sources/presets", { preset: "floral", seed: 1 });
  const pattern = await make("/patterns", { source_id, group: "p4" });

  const failures: string[] = [];
  let answered = 0;
  let rendered = 0;
  /** While no node is ready, clients may be told to repeat a request. */
  let isStarting = false;
  let isOver = false;
  const client = async () => {
    let key = await replaceKey(null);
    for (let count = 1; !isOver; count++) {
      if (count % 590 === 0) key = await replaceKey(key);
      // None of them is cached.
      const render = { size: 160 + (rendered % 97), dpi: 100 + Math.floor(rendered / 97) };
      rendered++;
      try {
        const response = await post(key.secret, `/patterns/${pattern}/render`, render);
        const bytes = Buffer.from(await response.arrayBuffer());
        if (response.status === 200) answered++;
        else if (isStarting && response.status === 503 && response.headers.has("Retry-After")) {
          await delay(100);
        } else failures.push(`${response.status} ${bytes}`);
      } catch (error) {
        failures.push(String(error));
      }
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  const further = async () => {
    const before = answered;
    await delay(STATE_MS);
    await until(() => answered > before);
  };
  await further();
  one.process.kill("SIGKILL");
  t.equal(await one.ended, null);
  await further();
  one = await startRender();
  await further();
  await until(async () => (await metricsOf(one))(RENDERED) > 0);
  two.process.kill("SIGTERM");
  t.equal(await two.ended, 0);
  await further();
  two = await startRender();
  await further();
  // It neither answers nor ends connections, for longer than calls wait for a sign of life.
  two.process.kill("SIGSTOP");
  for (let waited = 0; waited < 20_000; waited += STATE_MS) await further();
  two.process.kill("SIGCONT");
  await further();
  // The next two at once: the calls wait for another one, which may take longer to start than they wait.
  isStarting = true;
  for (const { process: child } of [one, two]) child.kill("SIGKILL");
  await startRender();
  await further();
  isStarting = false;
  await further();
  isOver = true;
  await Promise.all(clients);
  t.same(failures.slice(0, 5), []);
  t.comment(`${answered} requests answered, ${failures.length} failed`);
});

t.test(
  "a client that leaves frees the thread of the render node",
  { timeout: 120_000 },
  async (t) => {
    const { api, key, startRender, post, make } = await nodes(t);
    const node = await startRender();
    const source_id = await make("/sources/presets", { preset: "floral", seed: 1 });
    const effects = Array.from({ length: 8 }, () => ({ id: "blur", params: { radius: 0.04 } }));
    const pattern = await make("/patterns", { source_id, group: "p6m", effects });
    const running = async (service: Pick<Service, "line">) =>
      (await metricsOf(service))('orbifold_engine_jobs{state="running"}');
    const left = new AbortController();
    const slow = post(key, `/patterns/${pattern}/render`, { size: 4096 }, left.signal);
    await until(async () => (await running(api)) === 1 && (await running(node)) === 1);
    left.abort();
    await t.rejects(slow);
    await until(async () => (await running(node)) === 0 && (await running(api)) === 0);
    const cancelled = 'orbifold_node_call_seconds_count{call="render",result="cancelled"}';
    t.equal((await metricsOf(node))(cancelled), 1);
    t.equal((await metricsOf(api))("orbifold_threads"), 1);
  },
);

t.test("a batch uses a node that joins", { timeout: 240_000 }, async (t) => {
  const { DATABASE_URL, db, account, startRender, make } = await nodes(t);
  await startService(t, { DATABASE_URL, ROLES: "jobs" });
  await startRender();
  const source_id = await make("/sources/presets", { preset: "floral", seed: 1 });
  const pattern_id = await make("/patterns", { source_id, group: "p4" });
  const items = Array.from({ length: 80 }, (_, at) => ({ pattern_id, size: 1000 + at }));
  const id = await make("/batches", { items });
  const done = async () => (await db.batches.get(account.id, id))?.done ?? 0;
  await until(async () => (await done()) >= 5);
  const joined = await startRender();
  await until(async () => (await done()) === items.length);
  t.ok((await metricsOf(joined))(RENDERED) > 0);
});
