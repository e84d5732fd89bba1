/**
 * A print provider's nightly run: pictures of all patterns of an account, each checked against the manifest.
 *
 *   1. creates a batch: every pattern in each palette and size,
 *   2. waits until it is finished,
 *   3. downloads the manifest and the pictures that the folder does not have yet, each with its SHA-256,
 *   4. reports each picture that there is not, and ends with 1 if there is any.
 *
 * It may be stopped at any time, and ends with 2 where it cannot go on: run again in the same folder it goes on with
 * the same batch, or orders a new one if that is gone. It needs nothing but Node 24 and a key:
 *
 *   npx node docs/examples/print-provider/nightly.ts --key pf_… --out pictures --size 2048 --palette lagoon
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";

// A line is enough for those who run it.
process.on("uncaughtException", ({ message, cause }) => {
  console.error(`nightly: ${message}${cause instanceof Error ? `: ${cause.message}` : ""}`);
  process.exit(2);
});

const { values } = parseArgs({
  options: {
    api: { type: "string", default: "http://127.0.0.1:3000/api/v1" },
    key: { type: "string", default: process.env.ORBIFOLD_KEY ?? "" },
    out: { type: "string", default: "." },
    size: { type: "string", multiple: true, default: ["1024"] },
    format: { type: "string", multiple: true, default: ["png"] },
    palette: { type: "string", multiple: true },
    prune: { type: "boolean", default: false },
  },
});
const { api, key, out, prune } = values;
if (key === "") throw new Error("expected --key pf_… or ORBIFOLD_KEY");

const once = <T>(list: readonly T[]) => [...new Set(list)];

/** What is made of each pattern; without palettes in its own colours. */
const product = {
  ...(values.palette && { palettes: once(values.palette) }),
  sizes: once(values.size.map(Number)),
  formats: once(values.format),
};

/** The batch that is under way, so that a later run goes on with it. */
const STATE = join(out, "batch.json");

/** Downloads at once. */
const AT_ONCE = 4;

/** Most patterns of one batch. */
const MAX_PATTERNS = 1000;

/** Tries of a request: about five minutes. */
const TRIES = 10;

interface State {
  /** Sent with the order: repeated within a day, it returns the same batch. */
  readonly idempotencyKey: string;
  readonly order: { readonly name: string; readonly product: { readonly pattern_ids: number[] } };
  readonly id?: number;
}

/** A line of the manifest. */
interface Item {
  readonly index: number;
  readonly pattern_id: number;
  readonly request: { readonly palette?: string; readonly size: number; readonly format: string };
  readonly file: { readonly url: string; readonly sha256: string } | null;
  readonly error: { readonly code: string; readonly detail: string } | null;
}

/** A request that would fail again. Status 0: a picture that the service has not got. */
class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Whether another try may help. Of the conflicts, only a request that is still in progress says when. */
const isPassing = ({ status, headers }: Response) =>
  status >= 500 || [408, 429].includes(status) || (status === 409 && headers.has("Retry-After"));

/** Calls the service, and again while it asks to wait, fails or cannot be reached. Throws Refused. */
async function call(method: string, url: string, body?: object, headers = {}): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, {
      method,
      headers: { "X-API-Key": key, "Content-Type": "application/json", ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
      // Read here, so that an answer that breaks off is asked for again.
      .then(async (answer) => new Response(await answer.arrayBuffer(), answer))
      .catch((error) => {
        if (attempt === TRIES) throw error;
        return null;
      });
    if (response?.ok) return response;
    if (response && !(isPassing(response) && attempt < TRIES)) {
      const { detail = response.statusText } = await response.json().catch(() => ({}));
      const message = `${method} ${url}: ${response.status} ${detail}`;
      throw isPassing(response) ? new Error(message) : new Refused(response.status, message);
    }
    const asked = Number(response?.headers.get("Retry-After")) || 0;
    await delay(Math.max(asked, Math.min(2 ** (attempt - 1), 60)) * 1000);
  }
}

const json = async (method: string, path: string, body?: object, headers = {}) =>
  (await call(method, `${api}${path}`, body, headers)).json();

/** The ids of all patterns of the account, the newest first. */
async function allPatterns(): Promise<number[]> {
  const ids: number[] = [];
  for (let cursor = ""; ; ) {
    const { data, next_cursor } = await json("GET", `/patterns?limit=100${cursor}`);
    ids.push(...data.map(({ id }: { id: number }) => id));
    if (next_cursor === null) return ids;
    if (ids.length >= MAX_PATTERNS) {
      console.error(`nightly: only the newest ${MAX_PATTERNS} patterns: a batch takes no more`);
      return ids.slice(0, MAX_PATTERNS);
    }
    cursor = `&cursor=${next_cursor}`;
  }
}

async function newState(): Promise<State> {
  const pattern_ids = await allPatterns();
  if (pattern_ids.length === 0) throw new Error("the account has no patterns");
  const name = `Nightly run of ${new Date().toISOString().slice(0, 10)}`;
  return { idempotencyKey: randomUUID(), order: { name, product: { ...product, pattern_ids } } };
}

/** Writes a file as a whole or not at all. */
async function write(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(`${path}.part`, content, { flush: true });
  await rename(`${path}.part`, path);
}

/** Places an order unless that is done. Returns the batch's id. */
async function place(state: State): Promise<number> {
  if (state.id !== undefined) return state.id;
  // Before it is sent, so that no answer that is lost leaves a batch behind.
  await write(STATE, JSON.stringify(state));
  const headers = { "Idempotency-Key": state.idempotencyKey };
  const ordered = await json("POST", "/batches", state.order, headers).catch(async (error) => {
    if (error instanceof Refused) await rm(STATE);
    throw error;
  });
  const { id, total } = ordered;
  await write(STATE, JSON.stringify({ ...state, id }));
  console.log(`batch  ${id} of ${total} pictures`);
  return id;
}

interface Finished {
  readonly id: number;
  readonly total: number;
}

/** Orders a batch and waits for it. Returns null, and forgets it, if it was cancelled or is deleted. */
async function finish(state: State): Promise<Finished | null> {
  const id = await place(state);
  for (;;) {
    const response = await call("GET", `${api}/batches/${id}`).catch((error) => {
      if (error instanceof Refused && error.status === 404) return null;
      throw error;
    });
    const { status, progress, total } = (await response?.json()) ?? { status: "deleted" };
    if (status === "finished") return { id, total };
    if (response === null || status === "cancelled") {
      console.error(`nightly: batch ${id} was ${status}`);
      await rm(STATE);
      return null;
    }
    console.log(`wait   ${progress} %`);
    await delay(Number(response.headers.get("Retry-After") ?? 2) * 1000);
  }
}

/** The batch of this run: the one that an interrupted run began, or a new one. */
async function finishedBatch(): Promise<Finished> {
  const saved = await readFile(STATE, "utf8").catch(() => null);
  if (saved !== null) {
    const state: State = JSON.parse(saved);
    const { pattern_ids } = state.order.product;
    if (JSON.stringify({ ...product, pattern_ids }) !== JSON.stringify(state.order.product))
      console.error("nightly: goes on with a batch of other palettes, sizes or formats");
    const batch = await finish(state);
    if (batch) return batch;
  }
  const batch = await finish(await newState());
  // Not ordered again: someone did not want it.
  if (!batch) throw new Error("the batch of this run is gone");
  return batch;
}

/** The file of an item: the same every night. */
const nameOf = ({ pattern_id, request: { palette = "own", size, format } }: Item) =>
  `pattern-${pattern_id}-${palette}-${size}.${format}`;

/** Files with such a name, and those that were not written to their end. */
const NAMES = /^pattern-\d+-[\w-]+-\d+\.[a-z]+(\.part)?$/;

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Downloads a picture unless the folder has it. Returns whether it did. Throws Refused. */
async function download(item: Item): Promise<boolean> {
  const { file, error } = item;
  if (file === null) throw new Refused(0, `${error?.code}: ${error?.detail}`);
  const path = join(out, nameOf(item));
  const known = await readFile(path).catch(() => null);
  if (known !== null && sha256(known) === file.sha256) return false;
  const bytes = new Uint8Array(await (await call("GET", file.url)).arrayBuffer());
  if (sha256(bytes) !== file.sha256)
    throw new Refused(0, `GET ${file.url}: not the bytes of the manifest`);
  await write(path, bytes);
  return true;
}

await mkdir(out, { recursive: true });
const { id, total } = await finishedBatch();
const manifest = await (await call("GET", `${api}/batches/${id}/manifest`)).text();
await write(join(out, "manifest.ndjson"), manifest);
// Each line ends with a line feed: what follows the last one has broken off.
const lines = manifest.split("\n").slice(0, -1);
const items: Item[] = lines.map((line) => JSON.parse(line));
const waiting = items.values();
let downloaded = 0;
let failed = total - items.length;
if (failed > 0) console.log(`failed ${items.length} to ${total - 1}: not in the manifest`);
const work = async () => {
  for (const item of waiting) {
    try {
      if (await download(item)) downloaded++;
    } catch (error) {
      // It fails alone, unless the key is not accepted any more.
      if (!(error instanceof Refused) || [401, 403].includes(error.status)) throw error;
      failed++;
      console.log(`failed ${item.index} ${nameOf(item)}: ${error.message}`);
    }
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, work));
if (prune && items.length === total) {
  const listed = new Set(items.map(nameOf));
  const others = (await readdir(out)).filter((name) => NAMES.test(name) && !listed.has(name));
  for (const name of others) await rm(join(out, name));
  console.log(`pruned ${others.length} pictures of earlier runs`);
}
console.log(`done   ${total - failed} pictures, ${downloaded} downloaded`);
await rm(STATE);
process.exitCode = failed > 0 ? 1 : 0;
