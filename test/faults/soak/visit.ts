/** A customer's whole stay: an account is opened, used in every way, and deleted with all that it has. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../../db/index.ts";
import { createAccount } from "../../../server/actions/accounts.ts";
import { createApiKey } from "../../../server/actions/api-keys.ts";
import { sha256 } from "../../helpers/batches.ts";
import { type Client, type ClientOptions, createClient } from "../client.ts";

export interface Visited extends Omit<ClientOptions, "keys"> {
  readonly db: Database;
  /** Receives the webhooks. */
  readonly receiverUrl: string;
  /** One of these is uploaded: so few that the caches of sources do not grow all the time. */
  readonly pictures: readonly Uint8Array[];
}

interface Visitor extends Visited {
  readonly client: Client;
  readonly key: string;
  /** A new Idempotency-Key. */
  readonly name: () => string;
}

/** A request was refused, which is a violation already, or the run is over. */
class Unanswered extends Error {}

function need<Value>(value: Value | null): Value {
  if (value === null) throw new Unanswered();
  return value;
}

const json = (bytes: Buffer | null) => JSON.parse(need(bytes).toString());

/** Resolves when all of it is done and deleted, or a request was refused. */
export async function visit(visited: Visited): Promise<void> {
  const { db, signal } = visited;
  const account = await persist(signal, () =>
    createAccount(db, { email: `${randomUUID()}@example.org`, plan: "agency", credits: 1000 }),
  );
  const { secret: key } = await persist(signal, () => createApiKey(db, account.id, "visit"));
  const client = createClient({ ...visited, keys: [key] });
  const visitor = { ...visited, client, key, name: () => randomUUID() };
  try {
    await use(visitor);
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
  }
  await persist(signal, () => db.accounts.delete(account.id));
}

/** Repeats what fails because the database is away. */
async function persist<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) throw error;
      await delay(500);
    }
  }
}

async function use(visitor: Visitor): Promise<void> {
  const { client, name, receiverUrl } = visitor;
  const webhook = { url: receiverUrl, events: ["pattern.created", "batch.ready"] };
  need(await client.post(201, "/webhooks", name(), webhook));
  const source = await upload(visitor);
  const pattern = await create(visitor, source);
  await render(visitor, pattern);
  await print(visitor, pattern);
  await batch(visitor, pattern);
  await callTools(visitor, pattern);
  await readStream(visitor);
  await beGuest(visitor);
  await remove(client, `/patterns/${pattern}`);
  await remove(client, `/sources/${source}`);
}

async function upload({ client, name, pictures, random, journal }: Visitor): Promise<number> {
  const bytes = pictures[Math.floor(random() * pictures.length)];
  const data = Buffer.from(bytes).toString("base64");
  const { id } = need(await client.post(201, "/sources/upload", name(), { data }));
  const read = need(await client.get(`/sources/${id}/image`));
  if (sha256(read) !== sha256(bytes)) journal.violations.push(`source ${id} has other bytes`);
  return id;
}

async function create({ client, name, random }: Visitor, source_id: number): Promise<number> {
  const motif = { x: random(), y: random(), rotation: Math.floor(360 * random()) };
  const pattern = { source_id, group: random() < 0.5 ? "p4m" : "p31m", motif };
  return need(await client.post(201, "/patterns", name(), pattern)).id;
}

/** Renders new pictures, and one of them again and again. */
async function render({ client, random, journal }: Visitor, pattern: number): Promise<void> {
  const path = `/patterns/${pattern}/render`;
  for (const format of ["png", "jpeg", "webp", "tiff"]) {
    const size = 64 + Math.floor(128 * random());
    const first = need(await client.get(`${path}?size=${size}&format=${format}`));
    const again = need(await client.get(`${path}?size=${size}&format=${format}`));
    if (!first.equals(again)) journal.violations.push(`${path} as ${format} has other bytes`);
  }
  const sheet = { mode: "surface", surface_width: 400, surface_height: 300, cell: 60 };
  const json = { ...sheet, surface_effects: [{ id: "vignette" }] };
  need(await client.call([200], { method: "POST", path, json }));
}

async function print({ client, name }: Visitor, pattern: number): Promise<void> {
  const fields = { width_mm: 60, height_mm: 40, dpi: 100, format: "pdf" };
  const ordered = await client.post(202, `/patterns/${pattern}/export`, name(), fields);
  const path = `/exports/${need(ordered).export_id}`;
  await until(async () => json(await client.get(path)).status === "done");
  need(await client.get(`${path}/file`));
  await remove(client, path);
}

async function batch({ client, name }: Visitor, pattern: number): Promise<void> {
  const product = { pattern_ids: [pattern], sizes: [64, 80], palettes: [null, "lagoon"] };
  const path = `/batches/${need(await client.post(202, "/batches", name(), { product })).id}`;
  await until(async () => json(await client.get(path)).status === "finished");
  need(await client.get(`${path}/manifest`));
  need(await client.get(`${path}/contact-sheet`));
  await remove(client, path);
}

const HEADERS = { Accept: "application/json, text/event-stream" };

/** Renders as an agent, over Streamable HTTP. */
async function callTools({ client, journal }: Visitor, pattern_id: number): Promise<void> {
  for (const [name, fields] of [
    ["render_pattern_tile", { size: 128 }],
    ["get_pattern", {}],
  ] as const) {
    const params = { name, arguments: { pattern_id, ...fields } };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const request = { method: "POST", path: "/mcp", json: message, headers: HEADERS };
    const text = need(await client.call([200], request)).toString();
    if (!text.includes('"result"')) journal.violations.push(`${name}: ${text.slice(0, 500)}`);
  }
}

/** Opens an MCP session over SSE, reads an answer on its stream and leaves. */
async function readStream({ urls, random, key, journal, signal }: Visitor): Promise<void> {
  const nodes = urls();
  const node = nodes[Math.floor(random() * nodes.length)];
  const leave = new AbortController();
  const limit = AbortSignal.any([signal, leave.signal, AbortSignal.timeout(20_000)]);
  const headers = { "X-API-Key": key, "Content-Type": "application/json" };
  try {
    const stream = await fetch(`${node}/api/v1/mcp/sse`, { headers, signal: limit });
    let text = "";
    let isAsked = false;
    for await (const part of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      const [, path] = /^event: endpoint\ndata: (\S+)$/m.exec(text) ?? [];
      if (text.includes('"tools"')) break;
      if (isAsked || path === undefined) continue;
      isAsked = true;
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
      await fetch(`${node}${path}`, { method: "POST", headers, body, signal: limit });
    }
    journal.succeeded++;
  } catch {
    // Its node has a fault.
    journal.outcomes.set("broken stream", (journal.outcomes.get("broken stream") ?? 0) + 1);
  } finally {
    leave.abort();
  }
}

/** Designs as a customer of a shop; a session whose response got lost cannot be begun again. */
async function beGuest({ client, name }: Visitor): Promise<void> {
  const order = { product_id: 1, return_url: "https://shop.example/" };
  const { editor_url } = need(await client.post(201, "/embed/handoff", name(), order));
  const handoff = new URL(editor_url).searchParams.get("handoff");
  const begin = { method: "POST", path: "/embed/sessions", json: { handoff }, headers: {} };
  const { token } = json(await client.call([201, 404], begin));
  if (token === undefined) return;
  const rest = { headers: { Authorization: `Bearer ${token}` } };
  const preset = { preset: "stripes", seed: 1 };
  const source = need(await client.post(201, "/sources/presets", name(), preset, rest));
  const design = { source_id: source.id, group: "p2" };
  const pattern = need(await client.post(201, "/patterns", name(), design, rest));
  const finish = { pattern_id: pattern.id };
  need(await client.post(200, "/embed/finish", name(), finish, rest));
}

/** Deletes; 404: an attempt whose response got lost has. */
async function remove(client: Client, path: string): Promise<void> {
  need(await client.call([204, 404], { method: "DELETE", path }));
}

const POLL_MS = 200;

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(POLL_MS);
}
