/** Clients that write and read while the service has faults, and remember what they were told. */
import { sha256 } from "../helpers/batches.ts";
import { hash, pngOf } from "../helpers/pictures.ts";
import { type ClientOptions, createClient, createJournal, type Journal } from "./client.ts";

export interface LoadOptions extends Pick<ClientOptions, "keys" | "urls" | "random"> {
  readonly clients: number;
}

export interface Acknowledged {
  /** Ids of patterns by the name that a client chose. */
  readonly patterns: ReadonlyMap<string, number>;
  /** SHA-256 of the pictures that were uploaded, by the ids of their sources. */
  readonly sources: ReadonlyMap<number, string>;
  /** Ids of exports by their Idempotency-Key. */
  readonly exports: ReadonlyMap<string, number>;
  /** Ids of batches by their Idempotency-Key. */
  readonly batches: ReadonlyMap<string, number>;
}

export interface Load {
  readonly acknowledged: Acknowledged;
  readonly journal: Journal;
  /** Resolves when every write has been acknowledged. */
  stop(): Promise<void>;
  /** Creates a pattern at one node, without another try. Resolves with the status. */
  createAt(url: string): Promise<number>;
  /** Reads every uploaded picture and every export that is done. */
  readAll(): Promise<void>;
  /** Ends all clients in the middle of what they do. */
  abort(): void;
}

/** What exports are made from. */
const EXPORT = { width_mm: 60, height_mm: 40, dpi: 100, format: "png" };

/** An account may have 20 exports and 50 batches that are not finished; then its clients do something else. */
const TOO_MANY = { refusal: "conflict" };

/** Sides of the tiles that a batch has of a pattern. */
export const BATCH_SIZES = [64, 80, 96];

/** The pictures that clients ask for. The second one is encoded by a codec process. */
const TILES = ["size=96", "size=96&format=webp"];

/** Sides of tiles that are large enough for nodes to share them in the object store. */
const SHARED_SIDES = { from: 725, count: 400 };

/** Sides of a picture that is uploaded; noise, so that a PNG of it has about as many bytes as samples. */
const [WIDTH, HEIGHT] = [160, 120];

/** Returns a PNG that no other number has. */
function pictureOf(number: number): Uint8Array {
  const pixels = Uint8Array.from({ length: 3 * WIDTH * HEIGHT }, (_, at) => 256 * hash(number, at));
  return pngOf({ width: WIDTH, height: HEIGHT, channels: 3, pixels });
}

/** Starts clients; each makes one request after the other until `stop`. */
export async function startLoad({ clients, ...options }: LoadOptions): Promise<Load> {
  const patterns = new Map<string, number>();
  const sources = new Map<number, string>();
  const exports = new Map<string, number>();
  const batches = new Map<string, number>();
  const aborted = new AbortController();
  const journal = createJournal();
  const { violations } = journal;
  const { random } = options;
  const { send, get, post } = createClient({ ...options, signal: aborted.signal, journal });
  let isOver = false;

  const source = await post(201, "/sources/presets", "source", { preset: "floral", seed: 1 });
  const patternNamed = (name: string, source_id = source.id) => ({ source_id, group: "p3", name });
  const first = await post(201, "/patterns", "first", patternNamed("first"));
  patterns.set("first", first.id);

  /** The SHA-256 of what was read first. */
  const known = new Map<string, string>();
  const compare = (what: string, bytes: Buffer | null) => {
    if (bytes === null) return;
    const found = sha256(bytes);
    if (!known.has(what)) known.set(what, found);
    if (known.get(what) !== found) violations.push(`${what} had other bytes: ${found}`);
  };
  const readSource = async (id: number) => {
    const what = `source ${id}`;
    known.set(what, sources.get(id) ?? "");
    compare(what, await get(`/sources/${id}/image`));
  };
  const readExport = async (id: number) => {
    const made = await get(`/exports/${id}`);
    if (made === null || JSON.parse(made.toString()).status !== "done") return;
    compare("an export", await get(`/exports/${id}/file`));
  };

  const create = async (name: string, sourceId?: number): Promise<number | null> => {
    const made = await post(201, "/patterns", name, patternNamed(name, sourceId));
    if (made === null) return null;
    patterns.set(name, made.id);
    // By another node, perhaps.
    const read = await get(`/patterns/${made.id}`);
    if (read && JSON.parse(read.toString()).name !== name) violations.push(`${name}: ${read}`);
    return made.id;
  };
  const render = async () => {
    const tile = TILES[Math.floor(random() * TILES.length)];
    compare(tile, await get(`/patterns/${first.id}/render?${tile}`));
  };
  const renderShared = async () => {
    const size = SHARED_SIDES.from + Math.floor(SHARED_SIDES.count * random());
    const tile = `size=${size}`;
    compare(tile, await get(`/patterns/${first.id}/render?${tile}`));
  };
  let uploads = 0;
  const upload = async (name: string) => {
    const bytes = pictureOf(++uploads);
    const data = Buffer.from(bytes).toString("base64");
    const made = await post(201, "/sources/upload", name, { data });
    if (made === null) return;
    sources.set(made.id, sha256(bytes));
    await readSource(made.id);
    const pattern = await create(`pattern-of-${name}`, made.id);
    // It is in no cache, and its source has to be decoded.
    if (pattern !== null) await get(`/patterns/${pattern}/render?size=64`);
  };
  const order = async (name: string) => {
    const made = await post(202, `/patterns/${first.id}/export`, name, EXPORT, TOO_MANY);
    if (made !== null) exports.set(name, made.export_id);
    const ids = [...exports.values()];
    if (ids.length > 0) await readExport(ids[Math.floor(random() * ids.length)]);
  };
  const orderBatch = async (name: string) => {
    const product = { pattern_ids: [first.id], sizes: BATCH_SIZES };
    const made = await post(202, "/batches", name, { product }, TOO_MANY);
    if (made !== null) batches.set(name, made.id);
  };
  const kinds = [
    create,
    render,
    upload,
    renderShared,
    orderBatch,
    create,
    render,
    order,
    renderShared,
  ] as const;

  const running = Array.from({ length: clients }, async (_, client) => {
    for (let count = 0; !isOver; count++) {
      const kind = kinds[(client + count) % kinds.length];
      await kind(`client-${client}-${count}`);
    }
  });
  return {
    acknowledged: { patterns, sources, exports, batches },
    journal,
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
    async readAll() {
      for (const id of sources.keys()) await readSource(id);
      for (const id of exports.values()) await readExport(id);
    },
    abort() {
      isOver = true;
      aborted.abort();
    },
  };
}
