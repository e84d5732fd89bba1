/**
 * A print provider's nightly run: pictures of all patterns of an account, each checked against the manifest.
 *
 *   1. creates a batch: every pattern in each palette and size,
 *   2. waits until it is finished,
 *   3. downloads the manifest and the pictures that the folder does not have yet, each with its SHA-256,
 *   4. reports what could not be rendered, and ends with 1 if there is any.
 *
 * It may be stopped at any time: run again in the same folder it goes on with the same batch. It needs nothing but
 * Node 24 and a key:
 *
 *   npx node docs/examples/print-provider/nightly.ts --key pf_… --out pictures --size 2048 --palette lagoon
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
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
  },
});
const { api, key, out, size, format, palette } = values;
if (key === "") throw new Error("expected --key pf_… or ORBIFOLD_KEY");

/** The batch that is under way, so that a later run goes on with it. */
const STATE = join(out, "batch.json");

/** Downloads at once. */
const AT_ONCE = 4;

/** Most patterns of one batch. */
const MAX_PATTERNS = 1000;

interface State {
  /** Sent with the order: repeated within a day, it returns the same batch. */
  readonly idempotencyKey: string;
  readonly order: object;
  readonly id?: number;
}

/** A line of the manifest. */
interface Item {
  readonly index: number;
  readonly pattern_id: number;
  readonly request: { readonly format: string };
  readonly file: { readonly url: string; readonly sha256: string } | null;
  readonly error: { readonly code: string; readonly detail: string } | null;
}

/** The service refuses a request, and would do so again. */
class Refused extends Error {}

/** Calls the service, and again when it asks to wait or does not answer. */
async function call(method: string, url: string, body?: object, headers = {}): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, {
      method,
      headers: { "X-API-Key": key, "Content-Type": "application/json", ...headers },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error) => {
      if (attempt === 10) throw error;
      return null;
    });
    if (response?.ok) return response;
    const seconds = response === null ? 2 ** attempt : Number(response.headers.get("Retry-After"));
    if (response !== null && (seconds === 0 || attempt === 100)) {
      const { detail = response.statusText } = await response.json().catch(() => ({}));
      throw new Refused(`${method} ${url}: ${response.status} ${detail}`);
    }
    await delay(seconds * 1000);
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
    if (next_cursor === null || ids.length >= MAX_PATTERNS) return ids.slice(0, MAX_PATTERNS);
    cursor = `&cursor=${next_cursor}`;
  }
}

async function newOrder(): Promise<State> {
  const pattern_ids = await allPatterns();
  if (pattern_ids.length === 0) throw new Error("the account has no patterns");
  const palettes = palette && { palettes: palette };
  const product = { pattern_ids, ...palettes, sizes: size.map(Number), formats: format };
  const name = `Nightly run of ${new Date().toISOString().slice(0, 10)}`;
  return { idempotencyKey: randomUUID(), order: { name, product } };
}

/** Writes a file as a whole or not at all. */
async function write(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(`${path}.part`, content, { flush: true });
  await rename(`${path}.part`, path);
}

/** The batch of this run: the one that an interrupted run began, or a new one. */
async function openBatch(): Promise<number> {
  const known = await readFile(STATE, "utf8").catch(() => null);
  const state: State = known === null ? await newOrder() : JSON.parse(known);
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

async function waitFor(id: number): Promise<void> {
  for (;;) {
    const response = await call("GET", `${api}/batches/${id}`);
    const { status, progress } = await response.json();
    if (status === "finished") return;
    if (status === "cancelled") throw new Error(`batch ${id} was cancelled`);
    console.log(`wait   ${progress} %`);
    await delay(Number(response.headers.get("Retry-After") ?? 2) * 1000);
  }
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Downloads a picture unless the folder has it. Returns whether it did. */
async function download({ index, pattern_id, request, file }: Item): Promise<boolean> {
  if (file === null) return false;
  const name = `${String(index).padStart(5, "0")}-pattern-${pattern_id}.${request.format}`;
  const path = join(out, name);
  const known = await readFile(path).catch(() => null);
  if (known !== null && sha256(known) === file.sha256) return false;
  const bytes = new Uint8Array(await (await call("GET", file.url)).arrayBuffer());
  if (sha256(bytes) !== file.sha256) throw new Error(`${file.url}: not the bytes of the manifest`);
  await write(path, bytes);
  return true;
}

await mkdir(out, { recursive: true });
const id = await openBatch();
await waitFor(id);
const manifest = await (await call("GET", `${api}/batches/${id}/manifest`)).text();
await write(join(out, "manifest.ndjson"), manifest);
const items: Item[] = manifest
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));
const waiting = items.values();
let downloaded = 0;
const work = async () => {
  for (const item of waiting) if (await download(item)) downloaded++;
};
await Promise.all(Array.from({ length: AT_ONCE }, work));
const failed = items.filter(({ error }) => error !== null);
for (const { index, error } of failed)
  console.log(`failed ${index} ${error?.code}: ${error?.detail}`);
console.log(`done   ${items.length - failed.length} pictures, ${downloaded} downloaded`);
await rm(STATE);
process.exitCode = failed.length > 0 ? 1 : 0;
