/**
 * Pictures that all nodes share, in an object store: files of the cache's folder, by their fingerprint. Whatever fails
 * there, pictures are rendered as without it.
 */
import { type FileHandle, writeFile } from "node:fs/promises";
import PQueue from "p-queue";
import { Budget } from "./budget.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";
import type { Folder } from "./folder.ts";

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
  delete(key: string, signal: AbortSignal): Promise<void>;
  /** All objects whose keys begin with `prefix`, in pages. */
  list(
    prefix: string,
  ): AsyncIterable<readonly { readonly key: string; readonly modifiedAt: Date }[]>;
}

/**
 * What became of a picture: found in the store (`hit`), not there or too large for this node (`miss`), lost to an
 * error (`failure`), or not asked for because the store has failed or is busy, or because too many requests would be
 * refused (`skipped`); stored there, or not because too many wait, the store fails, it is too large or the day's bytes are
 * used up (`dropped`).
 */
export type SharedResult = "hit" | "miss" | "failure" | "skipped" | "stored" | "dropped";

export interface SharedOptions {
  readonly store: SharedStore;
  /** How long a picture is kept. */
  readonly days: number;
  /** Bytes that this process stores in a day. */
  readonly dailyBytes: number;
  readonly onResult: (result: SharedResult) => void;
  /**
   * Called with the error that stops calls for a while, and with those of pictures of which the store has sent a part.
   */
  readonly onError: (error: unknown) => void;
  /** Time limit of the first request for a picture. A render that is worth sharing takes no less. */
  readonly firstMs?: number;
  /** Time limit of all requests for a picture. */
  readonly fetchMs?: number;
}

export interface SharedRenders {
  /**
   * Copies a picture into the folder, verified. Returns whether there is one. Never rejects.
   * @param isRefused whether its request is refused otherwise
   */
  fetch(
    fingerprint: string,
    folder: Folder,
    signal: AbortSignal,
    isRefused: boolean,
  ): Promise<boolean>;
  /** Stores a picture of the folder in the background, unless too many are waiting. */
  offer(fingerprint: string, folder: Folder): void;
  /** Deletes pictures that are older than `days`. Throws the first error once the others are deleted. */
  deleteExpired(): Promise<void>;
  /** Ends what is in progress. */
  close(): Promise<void>;
}

/** Bytes of an object from `start` on, at most `bytes`. */
type GetPiece = (
  start: number,
  bytes: number,
  signal: AbortSignal,
) => ReturnType<SharedStore["get"]>;

const PREFIX = "renders/";

/** Bytes of the first request, which is all of most pictures, and of each following one. */
const FIRST_BYTES = 2 ** 20;
const PIECE_BYTES = 4 * 2 ** 20;

/** Pictures that are copied at a time, and those beyond which requests that are refused otherwise get none. */
const FETCHES = 8;
const REFUSED_FETCHES = 4;

/**
 * Pictures that are looked for in a second for requests that are refused otherwise. Renders limit how often others look;
 * nothing limits how often a client repeats a refused request.
 */
const REFUSED_LOOKS = 20;

/** Bytes of the largest picture that is shared: 100 Mbit/s bring as many within the time limit. */
const MAX_BYTES = 60 * 2 ** 20;

/** Bytes of files that are sent from memory; others are read as they are sent. */
const SMALL_BYTES = 8 * 2 ** 20;

/** Pictures that are sent at a time, those that wait, and the time limit of each. */
const UPLOADS = 2;
const WAITING_UPLOADS = 32;
const UPLOAD_MS = 60_000;

/** Concurrent deletions of expired pictures, and the time limit of each. */
const DELETIONS = 8;
const DELETION_MS = 10_000;

const DAY_MS = 24 * 60 * 60_000;
const SWEEP_MS = 6 * 60 * 60_000;
const FIRST_SWEEP_MS = 5 * 60_000;

export function createSharedRenders({
  store,
  days,
  dailyBytes,
  onResult,
  onError,
  firstMs = 500,
  fetchMs = 5000,
}: SharedOptions): SharedRenders {
  const closing = new AbortController();
  const reads = new CircuitBreaker();
  const writes = new CircuitBreaker();
  const uploads = new PQueue({ concurrency: UPLOADS });
  const bytesToday = new Budget(dailyBytes, DAY_MS);
  const refusedLooks = new Budget(REFUSED_LOOKS, 1000);
  let fetches = 0;
  const failed = (breaker: CircuitBreaker, error: unknown) => {
    if (breaker.failed()) onError(error);
  };

  /** Returns the first bytes of a picture; null where there is none. Its result is that of the breaker. */
  const getFirst = async (get: GetPiece, signal: AbortSignal) => {
    try {
      const limit = AbortSignal.timeout(firstMs);
      const piece = await get(0, FIRST_BYTES, AbortSignal.any([signal, limit]));
      reads.succeeded();
      return piece;
    } catch (error) {
      if (signal.aborted) reads.cancelled();
      else failed(reads, withLimit(error, firstMs));
      throw error;
    }
  };

  /** Copies what follows the first piece into the folder as well. Returns whether it takes so large a picture. */
  const copy = async (
    fingerprint: string,
    folder: Folder,
    first: Uint8Array,
    get: (start: number, bytes: number) => ReturnType<GetPiece>,
  ) => {
    const largest = Math.min(MAX_BYTES, folder.largestPicture);
    const [draft] = await folder.draft((path) =>
      writeFile(path, first, { flag: "wx", mode: 0o600 }),
    );
    try {
      let length = first.byteLength;
      let isLast = length < FIRST_BYTES;
      while (!isLast && length <= largest) {
        const piece = (await get(length, PIECE_BYTES)) ?? new Uint8Array(0);
        await writeFile(draft, piece, { flag: "a" });
        length += piece.byteLength;
        isLast = piece.byteLength < PIECE_BYTES;
      }
      if (length > largest) return false;
      await folder.adopt(draft, fingerprint);
      return true;
    } finally {
      await folder.discard(draft);
    }
  };

  const fetch = async (fingerprint: string, folder: Folder, signal: AbortSignal) => {
    const all = AbortSignal.any([signal, AbortSignal.timeout(fetchMs)]);
    const get: GetPiece = (start, bytes, until) =>
      store.get(PREFIX + fingerprint, { start, end: start + bytes - 1 }, until);
    const first = await getFirst(get, signal);
    if (first === null) return false;
    try {
      return await copy(fingerprint, folder, first, (start, bytes) => get(start, bytes, all));
    } catch (error) {
      // A damaged object is replaced once the picture has been rendered.
      if (!signal.aborted) onError(withLimit(error, fetchMs));
      throw error;
    }
  };

  const send = async (fingerprint: string, folder: Folder) => {
    const file = await folder.open(fingerprint);
    // Evicted meanwhile, or too large for the folder.
    if (file === null) return;
    try {
      const { size } = await file.stat();
      if (size > MAX_BYTES || !bytesToday.has(size) || !writes.allows()) {
        onResult("dropped");
        return;
      }
      bytesToday.take(size);
      const body = size > SMALL_BYTES ? readInPieces(file) : await file.readFile();
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(UPLOAD_MS)]);
      await store.put(PREFIX + fingerprint, body, signal);
      writes.succeeded();
      onResult("stored");
    } catch (error) {
      onResult("dropped");
      if (!closing.signal.aborted) failed(writes, withLimit(error, UPLOAD_MS));
    } finally {
      await file.close();
    }
  };

  const deleteExpired = async () => {
    const failures: unknown[] = [];
    const remove = async (key: string) => {
      const limit = AbortSignal.timeout(DELETION_MS);
      try {
        await store.delete(key, AbortSignal.any([closing.signal, limit]));
      } catch (error) {
        if (failures.length === 0) failures.push(withLimit(error, DELETION_MS));
      }
    };
    const deletions = new PQueue({ concurrency: DELETIONS });
    for await (const page of store.list(PREFIX)) {
      const before = Date.now() - days * DAY_MS;
      const expired = page.filter(({ modifiedAt }) => modifiedAt.getTime() <= before);
      await deletions.addAll(
        expired.map(
          ({ key }) =>
            () =>
              remove(key),
        ),
      );
      closing.signal.throwIfAborted();
    }
    if (failures.length > 0) throw failures[0];
  };
  const sweep = () =>
    deleteExpired().catch((error) => {
      if (!closing.signal.aborted) onError(error);
    });
  const timers = [setTimeout(sweep, FIRST_SWEEP_MS), setInterval(sweep, SWEEP_MS)];
  for (const timer of timers) timer.unref();

  return {
    async fetch(fingerprint, folder, signal, isRefused) {
      const isBusy = fetches >= (isRefused ? REFUSED_FETCHES : FETCHES);
      if (isBusy || (isRefused && !refusedLooks.has(1)) || !reads.allows()) {
        onResult("skipped");
        return false;
      }
      if (isRefused) refusedLooks.take(1);
      fetches++;
      try {
        const isThere = await fetch(fingerprint, folder, signal);
        onResult(isThere ? "hit" : "miss");
        return isThere;
      } catch {
        if (!signal.aborted) onResult("failure");
        return false;
      } finally {
        fetches--;
      }
    },
    offer(fingerprint, folder) {
      if (closing.signal.aborted || uploads.size >= WAITING_UPLOADS) {
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

/** Names the time limit that a call has missed; returns other errors unchanged. */
const withLimit = (error: unknown, milliseconds: number) =>
  error instanceof DOMException && error.name === "TimeoutError"
    ? new Error(`the object store did not answer in ${milliseconds} ms`, { cause: error })
    : error;

/** Yields a file in pieces. Closing the file would wait for a stream that is not read to its end. */
async function* readInPieces(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(2 ** 20));
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
