/**
 * `npm run render-nodes`: what renders cost that another process makes, and how the throughput of batches grows with
 * the number of render nodes. Each has one thread and a part of a processor, so that the machine has enough for all;
 * nothing is cached. Prints the figures.
 */
import { setTimeout as delay } from "node:timers/promises";
import { openApi } from "./harness/api-client.ts";
import { createProcessorQuota } from "./harness/processor-quota.ts";
import { type StartedServer, startServer } from "./harness/started-server.ts";
import { quantile } from "./harness/statistics.ts";

const TILES = 120;
const BATCHES = 3;
const ITEMS = 60;
const NODES = 4;
/** Within this time the others know of a new node. */
const JOINED_MS = 3000;
/** Of each render node; the rest is for the database, for what hands the items out and for encoding. */
const PROCESSORS = 0.25;
const JSON_TYPE = { "Content-Type": "application/json" };

await using servers = new AsyncDisposableStack();
// They are removed after their processes have ended.
const quotas = Array.from({ length: NODES }, (_, at) =>
  servers.adopt(createProcessorQuota(`node-${at}`, PROCESSORS), (quota) => quota.remove()),
);
const first = await start({ ROLES: "api,render" });
const { keys, post, pattern } = await prepare(first);

async function start(
  env: Readonly<Record<string, string>>,
  beside?: StartedServer,
): Promise<StartedServer> {
  const common = { ENGINE_THREADS: "1", ENGINE_BACKEND: "webasm", CACHE_MAX_BYTES: "0" };
  const dataDir = beside && { dataDir: beside.dataDir };
  return servers.adopt(await startServer({ env: { ...common, ...env }, ...dataDir }), (server) =>
    server.stop(),
  );
}

async function prepare(server: StartedServer) {
  const { keys } = await openApi(server, 5);
  let used = 0;
  const post = async (url: string, path: string, body: object) => {
    const key = keys[used++ % keys.length];
    const headers = { "X-API-Key": key, ...JSON_TYPE };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${url}/api/v1${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response;
  };
  const made = async (path: string, body: object) =>
    (await (await post(server.url, path, body)).json()).id;
  const source_id = await made("/sources/presets", { preset: "floral", seed: 1 });
  return { keys, post, pattern: await made("/patterns", { source_id, group: "p4" }) };
}

/** Milliseconds of a tile. */
async function tile({ url }: StartedServer): Promise<number> {
  const begun = performance.now();
  await (await post(url, `/patterns/${pattern}/render`, { size: 512 })).arrayBuffer();
  return performance.now() - begun;
}

/** Items a second of a batch, after the first ones: a job begins within two seconds. */
async function batch({ url }: StartedServer): Promise<number> {
  const items = Array.from({ length: ITEMS }, (_, at) => ({
    pattern_id: pattern,
    size: 800 + at,
  }));
  const { id } = await (await post(url, "/batches", { items })).json();
  let [begun, before] = [0, 0];
  for (;;) {
    await delay(50);
    const headers = { "X-API-Key": keys[0] ?? "" };
    const found = await (await fetch(`${url}/api/v1/batches/${id}`, { headers })).json();
    if (begun === 0 && found.done >= 5) [begun, before] = [performance.now(), found.done];
    if (found.done === ITEMS) return (1000 * (ITEMS - before)) / (performance.now() - begun);
  }
}

/** Median items a second. */
async function batches(): Promise<number> {
  const rates = [];
  for (let round = 0; round < BATCHES; round++) rates.push(await batch(first));
  return quantile(rates, 0.5);
}

const node = { ROLES: "render", RENDER_PORT: "0" };
const unlimited = await start(node, first);
const api = await start({ ROLES: "api" }, first);
const times = { here: [] as number[], there: [] as number[] };
for (let count = 0; count < TILES; count++) {
  // The first ones compile kernels and open connections.
  const [here, there] = [await tile(first), await tile(api)];
  if (count < 20) continue;
  times.here.push(here);
  times.there.push(there);
  await delay(20);
}
for (const [what, q] of [
  ["median", 0.5],
  ["fastest tenth", 0.1],
] as const) {
  const [here, there] = [quantile(times.here, q), quantile(times.there, q)];
  console.log(`a tile of 512², ${what}: ${here.toFixed(1)} ms, by a node ${there.toFixed(1)} ms`);
}

await start({ ROLES: "jobs" }, first);
let alone = 0;
for (const [at, quota] of quotas.entries()) {
  quota.limit((at === 0 ? unlimited : await start(node, first)).pid);
  await delay(JOINED_MS);
  const rate = await batches();
  if (at === 0) alone = rate;
  const growth = (rate / alone).toFixed(2);
  console.log(
    `a batch, render nodes of ${PROCESSORS} processors: ${at + 1}, ${rate.toFixed(2)} items/s, ${growth} times those of one`,
  );
}
