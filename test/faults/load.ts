/** Clients that write and read while the service has faults, and remember what they were told. */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type CallRequest, type CallResponse, createClient } from "./client.ts";

export interface LoadOptions {
  readonly clients: number;
  /** API keys, used in turn: a key has a limit of requests. */
  readonly keys: readonly string[];
  /** The addresses of the nodes that listen. */
  readonly urls: () => readonly string[];
  /** A number of 0…1, by the seed. */
  readonly random: () => number;
}

export interface Acknowledged {
  /** Ids of patterns by the name that a client chose. */
  readonly patterns: ReadonlyMap<string, number>;
  /** Ids of exports by their Idempotency-Key. */
  readonly exports: ReadonlyMap<string, number>;
  /** Ids of batches by their Idempotency-Key. */
  readonly batches: ReadonlyMap<string, number>;
}

export interface Load {
  readonly acknowledged: Acknowledged;
  /** Responses by their status and problem; 0: the connection broke or timed out. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** What must never happen. */
  readonly violations: readonly string[];
  /** Resolves when every write has been acknowledged. */
  stop(): Promise<void>;
  /** Creates a pattern at one node, without another try. Resolves with the status. */
  createAt(url: string): Promise<number>;
  /** Ends all clients in the middle of what they do. */
  abort(): void;
}

/** Statuses for which a client tries again; 409 while the first attempt runs, or too much is unfinished. */
const TRANSIENT = new Set([0, 409, 429, 503]);

/** What exports are made from. */
const EXPORT = { width_mm: 60, height_mm: 40, dpi: 100, format: "png" };

/** Sides of the tiles that a batch has of a pattern. */
export const BATCH_SIZES = [64, 80, 96];

/** The picture that clients ask for. */
const TILE_SIZE = 96;

const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Starts clients; each makes one request after the other until `stop`. */
export async function startLoad({ clients, keys, urls, random }: LoadOptions): Promise<Load> {
  const patterns = new Map<string, number>();
  const exports = new Map<string, number>();
  const batches = new Map<string, number>();
  const outcomes = new Map<string, number>();
  const violations: string[] = [];
  const aborted = new AbortController();
  const send = createClient(keys, aborted.signal);
  let isOver = false;

  /** Counts a response, and returns whether the client may try again. */
  const isTransient = ({ method, path }: CallRequest, { status, bytes }: CallResponse) => {
    const text = bytes.toString();
    const [, code = ""] = /"code":"(\w+)"/.exec(text) ?? [];
    const outcome = `${status} ${code}`.trim();
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (TRANSIENT.has(status)) return true;
    violations.push(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
    return false;
  };
  /** Tries at any node until the response has the status `wanted`; null for another that is not transient. */
  const persist = async (wanted: number, request: CallRequest): Promise<Buffer | null> => {
    while (!aborted.signal.aborted) {
      const nodes = urls();
      const response = await send(nodes[Math.floor(random() * nodes.length)], request);
      if (response.status === wanted) return response.bytes;
      if (!isTransient(request, response)) return null;
      await delay(50 + 200 * random());
    }
    return null;
  };
  const get = (path: string) => persist(200, { method: "GET", path });
  const post = async (wanted: number, path: string, name: string, json: object) => {
    const bytes = await persist(wanted, { method: "POST", path, name, json });
    return bytes && JSON.parse(bytes.toString());
  };

  const source = await post(201, "/sources/presets", "source", { preset: "floral", seed: 1 });
  const patternNamed = (name: string) => ({ source_id: source.id, group: "p3", name });
  const first = await post(201, "/patterns", "first", patternNamed("first"));
  patterns.set("first", first.id);
  const renderPath = `/patterns/${first.id}/render?size=${TILE_SIZE}`;
  const tile = sha256Of((await get(renderPath)) ?? Buffer.alloc(0));

  const create = async (name: string) => {
    const made = await post(201, "/patterns", name, patternNamed(name));
    if (made === null) return;
    patterns.set(name, made.id);
    // By another node, perhaps.
    const read = await get(`/patterns/${made.id}`);
    if (read && JSON.parse(read.toString()).name !== name) violations.push(`${name}: ${read}`);
  };
  const render = async () => {
    const bytes = await get(renderPath);
    if (bytes && sha256Of(bytes) !== tile) violations.push("a tile had other bytes");
  };
  const order = async (name: string) => {
    const made = await post(202, `/patterns/${first.id}/export`, name, EXPORT);
    if (made !== null) exports.set(name, made.export_id);
  };
  const orderBatch = async (name: string) => {
    const product = { pattern_ids: [first.id], sizes: BATCH_SIZES };
    const made = await post(202, "/batches", name, { product });
    if (made !== null) batches.set(name, made.id);
  };
  // An account may have 20 exports that are not finished.
  const kinds = [create, render, create, render, orderBatch, render, order] as const;

  const running = Array.from({ length: clients }, async (_, client) => {
    for (let count = 0; !isOver; count++) {
      const kind = kinds[(client + count) % kinds.length];
      await kind(`client-${client}-${count}`);
    }
  });
  return {
    acknowledged: { patterns, exports, batches },
    outcomes,
    violations,
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
    async createAt(url) {
      const name = `at ${url}`;
      const json = patternNamed(name);
      const request = { method: "POST", path: "/patterns", name: encodeURI(name), json };
      const { status, bytes } = await send(url, request);
      if (status === 201) patterns.set(name, JSON.parse(bytes.toString()).id);
      return status;
    },
    abort() {
      isOver = true;
      aborted.abort();
    },
  };
}
