/**
 * `npm run render-nodes`: what renders cost that another process makes, and what a second render node brings. Each node
 * has one thread, and nothing is cached. Prints the figures.
 */
import { setTimeout as delay } from "node:timers/promises";
import { openApi } from "./harness/api-client.ts";
import { type StartedServer, startServer } from "./harness/started-server.ts";
import { quantile } from "./harness/statistics.ts";

const TILES = 120;
const BATCHES = 2;
const ITEMS = 40;
const JSON_TYPE = { "Content-Type": "application/json" };

await using servers = new AsyncDisposableStack();
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
    size: 1800 + at,
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

async function batches(what: string): Promise<void> {
  const rates = [];
  for (let round = 0; round < BATCHES; round++) rates.push(await batch(first));
  console.log(`${what}: ${quantile(rates, 0.5).toFixed(1)} items/s`);
}

const node = { ROLES: "render", RENDER_PORT: "0" };
await start(node, first);
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
await batches("a batch of tiles of 1800 pixels, one render node");
await start(node, first);
await delay(2000);
await batches("two render nodes");
