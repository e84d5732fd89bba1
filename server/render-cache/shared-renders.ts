/**
 * Pictures that all nodes share, in an object store: files of the cache's folder, by their fingerprint. Whatever fails
 * there, pictures are rendered as without it.
 */
import { type FileHandle, writeFile } from "node:fs/promises";
import PQueue from "p-queue";
import { CircuitBreaker } from "./circuit-breaker.ts";
import { type Folder, UnreadableEntry } from "./folder.ts";

/** What the cache needs of an object store. */
export interface SharedStore {
  /** Stores bytes. Throws the reason of `signal`. */
  put(
    key: string,
    body: Uint8Array | AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<void>;
  /** Bytes `start` to `end` or to the end of an object; null where there is none. */
  get(
    key: string,
    range: { readonly start: number; readonly end: number },
    signal: AbortSignal,
  ): Promise<Uint8Array | null>;
  delete(key: string): Promise<void>;
  /** All objects whose keys begin with `prefix`, in pages. */
  list(
    prefix: string,
  ): AsyncIterable<readonly { readonly key: string; readonly modifiedAt: Date }[]>;
}

/**
 * What became of a picture: found in the store (`hit`) or not (`miss`, `failure`), or not asked for because the store has
 * failed or is busy (`skipped`); stored there, or not because too many wait or the store fails (`dropped`).
 */
export type SharedResult = "hit" | "miss" | "failure" | "skipped" | "stored" | "dropped";

export interface SharedOptions {
  readonly store: SharedStore;
  /** How long a picture is kept. */
  readonly days: number;
  readonly onResult: (result: SharedResult) => void;
  /** Called with the error that stops calls for a while, and with damaged pictures. */
  readonly onError: (error: unknown) => void;
}

export interface SharedRenders {
  /** Copies a picture into the folder, verified. Returns whether there is one. Never rejects. */
  fetch(fingerprint: string, folder: Folder, signal: AbortSignal): Promise<boolean>;
  /** Stores a picture of the folder in the background, unless too many are waiting. */
  offer(fingerprint: string, folder: Folder): void;
  /** Deletes pictures that are older than `days`. Throws what the store throws. */
  deleteExpired(): Promise<void>;
  /** Ends what is in progress. */
  close(): Promise<void>;
}

const PREFIX = "renders/";

/** Bytes of the first request, which is all of most pictures, and of each following one. */
const FIRST_BYTES = 2 ** 20;
const PIECE_BYTES = 4 * 2 ** 20;

/** Time limits of the first request and of all requests for a picture, for which its readers wait. */
const FIRST_MS = 500;
const FETCH_MS = 5000;

/** Pictures that are copied at a time. */
const FETCHES = 8;

/** Bytes of the largest picture that is shared. */
const MAX_BYTES = 256 * 2 ** 20;

/** Bytes of files that are sent from memory; others are read as they are sent. */
const SMALL_BYTES = 8 * 2 ** 20;

/** Pictures that are sent at a time, those that wait, and the time limit of each. */
const UPLOADS = 2;
const WAITING_UPLOADS = 32;
const UPLOAD_MS = 60_000;

/** Concurrent deletions of expired pictures. */
const DELETIONS = 8;

const DAY_MS = 24 * 60 * 60_000;
const SWEEP_MS = 6 * 60 * 60_000;
const FIRST_SWEEP_MS = 5 * 60_000;

export function createSharedRenders({
  store,
  days,
  onResult,
  onError,
}: SharedOptions): SharedRenders {
  const closing = new AbortController();
  const reads = new CircuitBreaker();
  const writes = new CircuitBreaker();
  const uploads = new PQueue({ concurrency: UPLOADS });
  let fetches = 0;
  const failed = (breaker: CircuitBreaker, error: unknown) => {
    if (breaker.failed()) onError(error);
  };

  const copy = async (fingerprint: string, folder: Folder, signal: AbortSignal) => {
    const get = (start: number, bytes: number, wanted: AbortSignal) =>
      store.get(PREFIX + fingerprint, { start, end: start + bytes - 1 }, wanted);
    const all = AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)]);
    const first = AbortSignal.any([all, AbortSignal.timeout(FIRST_MS)]);
    let piece = await get(0, FIRST_BYTES, first);
    if (piece === null) return false;
    const draft = await folder.draft();
    try {
      await writeFile(draft, piece, { flag: "wx", mode: 0o600 });
      let length = piece.byteLength;
      for (let asked = FIRST_BYTES; piece?.byteLength === asked; asked = PIECE_BYTES) {
        if (length > MAX_BYTES) throw new Error(`${fingerprint} is longer than ${MAX_BYTES} bytes`);
        piece = await get(length, PIECE_BYTES, all);
        await writeFile(draft, piece ?? new Uint8Array(0), { flag: "a" });
        length += piece?.byteLength ?? 0;
      }
    } catch (error) {
      await folder.discard(draft);
      throw error;
    }
    await folder.adopt(draft, fingerprint).catch(async (error) => {
      if (error instanceof UnreadableEntry) {
        onError(error);
        // Nobody waits for that; if it fails, the next reader tries again.
        store.delete(PREFIX + fingerprint).catch(() => undefined);
      }
      throw error;
    });
    return true;
  };

  const send = async (fingerprint: string, folder: Folder) => {
    const file = await folder.open(fingerprint);
    // Evicted meanwhile, or too large for the folder.
    if (file === null) return;
    try {
      const { size } = await file.stat();
      if (size > MAX_BYTES) return;
      const body = size > SMALL_BYTES ? readInPieces(file) : await file.readFile();
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(UPLOAD_MS)]);
      await store.put(PREFIX + fingerprint, body, signal);
      writes.succeeded();
      onResult("stored");
    } catch (error) {
      onResult("dropped");
      if (!closing.signal.aborted) failed(writes, error);
    } finally {
      await file.close();
    }
  };

  const deletionOf = ({ key }: { readonly key: string }) => {
    return () => store.delete(key);
  };
  const deleteExpired = async () => {
    const deletions = new PQueue({ concurrency: DELETIONS });
    for await (const page of store.list(PREFIX)) {
      const before = Date.now() - days * DAY_MS;
      const expired = page.filter(({ modifiedAt }) => modifiedAt.getTime() <= before);
      closing.signal.throwIfAborted();
      await deletions.addAll(expired.map(deletionOf));
    }
  };
  const sweep = () =>
    deleteExpired().catch((error) => {
      if (!closing.signal.aborted) onError(error);
    });
  const timers = [setTimeout(sweep, FIRST_SWEEP_MS), setInterval(sweep, SWEEP_MS)];
  for (const timer of timers) timer.unref();

  return {
    async fetch(fingerprint, folder, signal) {
      if (fetches >= FETCHES || !reads.allows()) {
        onResult("skipped");
        return false;
      }
      fetches++;
      try {
        const isThere = await copy(fingerprint, folder, signal);
        reads.succeeded();
        onResult(isThere ? "hit" : "miss");
        return isThere;
      } catch (error) {
        if (signal.aborted) return false;
        onResult("failure");
        failed(reads, error);
        return false;
      } finally {
        fetches--;
      }
    },
    offer(fingerprint, folder) {
      if (closing.signal.aborted || uploads.size >= WAITING_UPLOADS || !writes.allows()) {
        onResult("dropped");
        return;
      }
      uploads.add(() => send(fingerprint, folder)).catch(onError);
    },
    deleteExpired,
    async close() {
      for (const timer of timers) clearTimeout(timer);
      uploads.clear();
      closing.abort(new Error("the cache was closed"));
      await uploads.onIdle();
    },
  };
}

async function* readInPieces(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(2 ** 20));
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
