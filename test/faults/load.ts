/** Clients that write and read while the service has faults, and remember what they were told. */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

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
  /** Ends all clients in the middle of what they do. */
  abort(): void;
}

/** A request that takes longer is given up: its node may be paused. */
const REQUEST_MS = 20_000;

/** Statuses for which a client tries again; 409 while the first attempt runs, or too much is unfinished. */
const TRANSIENT = new Set([0, 409, 429, 503]);

/** What an export is made from, and its SHA-256. */
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
  const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const violations: string[] = [];
  let isOver = false;
  const aborted = new AbortController();
  let asked = 0;

  const call = async (method: string, path: string, name?: string, json?: object) => {
    const nodes = urls();
    const node = nodes[Math.floor(random() * nodes.length)];
    const key = keys[asked++ % keys.length];
    try {
      if (node === undefined) throw new Error("no node listens");
      const response = await fetch(`${node}/api/v1${path}`, {
        method,
        headers: {
          "X-API-Key": key,
          ...(name && { "Idempotency-Key": name }),
          ...(json && { "Content-Type": "application/json" }),
        },
        ...(json && { body: JSON.stringify(json) }),
        signal: AbortSignal.any([aborted.signal, AbortSignal.timeout(REQUEST_MS)]),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const problem = response.ok ? "" : ` ${JSON.parse(bytes.toString()).code}`;
      count(`${response.status}${problem}`);
      return { status: response.status, bytes };
    } catch {
      count("0");
      return { status: 0, bytes: Buffer.alloc(0) };
    }
  };
  /** Tries until the service answers with `wanted`; any other definite answer is a violation. */
  const persist = async (wanted: number, ...request: Parameters<typeof call>) => {
    while (!aborted.signal.aborted) {
      const { status, bytes } = await call(...request);
      if (status === wanted) return bytes;
      if (!TRANSIENT.has(status)) {
        violations.push(`${request[0]} ${request[1]}: ${status} ${bytes.toString().slice(0, 500)}`);
        return null;
      }
      await delay(50 + 200 * random());
    }
    return null;
  };
  const persistJson = async (...request: Parameters<typeof persist>) => {
    const bytes = await persist(...request);
    return bytes && JSON.parse(bytes.toString());
  };

  const preset = { preset: "floral", seed: 1 };
  const source = await persistJson(201, "POST", "/sources/presets", "source", preset);
  const first = await persistJson(201, "POST", "/patterns", "first", {
    source_id: source.id,
    group: "p3",
    name: "first",
  });
  patterns.set("first", first.id);
  const renderPath = `/patterns/${first.id}/render?size=${TILE_SIZE}`;
  const tile = sha256Of((await persist(200, "GET", renderPath)) ?? Buffer.alloc(0));

  const create = async (name: string) => {
    const body = { source_id: source.id, group: "p4", name };
    const made = await persistJson(201, "POST", "/patterns", name, body);
    if (made === null) return;
    patterns.set(name, made.id);
    // By another node, perhaps.
    const read = await persistJson(200, "GET", `/patterns/${made.id}`);
    if (read && read.name !== name) violations.push(`${name} was read as ${read.name}`);
  };
  const render = async () => {
    const bytes = await persist(200, "GET", renderPath);
    if (bytes && sha256Of(bytes) !== tile) violations.push("a tile had other bytes");
  };
  const order = async (name: string) => {
    const made = await persistJson(202, "POST", `/patterns/${first.id}/export`, name, EXPORT);
    if (made !== null) exports.set(name, made.export_id);
  };
  const orderBatch = async (name: string) => {
    const product = { pattern_ids: [first.id], sizes: BATCH_SIZES };
    const made = await persistJson(202, "POST", "/batches", name, { product });
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
    abort() {
      isOver = true;
      aborted.abort();
    },
  };
}
