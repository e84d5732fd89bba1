/**
 * Cache of rendered pictures on disk, with recent small ones in memory. Concurrent requests for the
 * same picture share one render.
 */
import { writeFile } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import { ShortLivedMap } from "../short-lived-map.ts";
import { createSingleFlight } from "../single-flight.ts";
import { footerOf, hashChunks } from "./entry.ts";
import { type Folder, openFolder, pictureOf, SMALL_BYTES } from "./folder.ts";
import {
  isWhole,
  type Picture,
  type RenderedPicture,
  readerOf,
  type StreamedPicture,
  uncached,
  type WholePicture,
} from "./picture.ts";
import { createSharedRenders, type SharedOptions } from "./shared-renders.ts";
import { createStreamingEntry, type StreamingEntry } from "./streaming-entry.ts";

export { UnreadableEntry } from "./folder.ts";
export type { Picture, RenderedPicture, StreamedPicture } from "./picture.ts";
export type { SharedResult } from "./shared-renders.ts";

export interface RenderCache<Timings> {
  /** Returns the picture of a fingerprint if it is in memory. */
  inMemory(fingerprint: string): Picture<Timings> | null;
  /** Whether a picture is cached or being rendered, checked synchronously. */
  has(fingerprint: string): boolean;
  /** Returns the cached picture of a fingerprint (64 hex digits: a hash of what decides it), or null. */
  find(fingerprint: string): Promise<Picture<Timings> | null>;
  /**
   * Returns the picture of a fingerprint that another node has stored, for a request that is refused otherwise: null if
   * there is none, and if too many such requests come. Throws the reason of `wait`.
   */
  findShared(fingerprint: string, wait: AbortSignal): Promise<Picture<Timings> | null>;
  /**
   * Returns the cached picture of a fingerprint, or caches the result of `make`. Throws the errors of
   * `make` and the reason of `wait`. The signal of `make` aborts once no caller waits any more.
   * @param isShared whether nodes share it: the object store is asked first
   */
  getOrRender(
    fingerprint: string,
    make: (signal: AbortSignal) => Promise<RenderedPicture<Timings>>,
    wait: AbortSignal,
    isShared?: boolean,
  ): Promise<Picture<Timings>>;
  /** Like `getOrRender`, for a picture that is read while it is rendered. Nodes share it. */
  getOrStream(
    fingerprint: string,
    make: StartRender<Timings>,
    reader: StreamReader,
  ): Promise<Picture<Timings>>;
  /** Returns the bytes of the pictures in memory and on disk. */
  bytes(): { readonly memory: number; readonly disk: number };
  /** Resolves when all pictures are on disk. */
  close(): Promise<void>;
}

export type StartRender<Timings> = (signal: AbortSignal) => Promise<StreamedPicture<Timings>>;

export interface StreamReader {
  /** Aborts when the reader leaves. */
  readonly signal: AbortSignal;
  /** Aborts when the reader leaves, or after its time limit for the first bytes. */
  readonly wait: AbortSignal;
}

export interface RenderCacheOptions {
  readonly folder: string;
  /** Limit of all files. */
  readonly maximumBytes: number;
  /** Limit of pictures in memory. */
  readonly memoryBytes: number;
  /** Called with errors of the folder; pictures are then rendered without it. */
  readonly onError: (error: unknown) => void;
  /** Default: nodes do not share their pictures. */
  readonly shared?: SharedOptions | null;
}

/** Maximum share of the memory for one picture. */
const SMALL_SHARE = 1 / 8;

/** Milliseconds for which a folder that failed is not used. */
const SUSPENSION_MS = 30_000;

/** Opens the cache. Throws file system errors. */
export async function openRenderCache<Timings>({
  folder: path,
  maximumBytes,
  memoryBytes,
  onError,
  shared: sharing,
}: RenderCacheOptions): Promise<RenderCache<Timings>> {
  const opened = maximumBytes > 0 ? await openFolder(path, maximumBytes, onError) : null;
  let suspendedUntil = 0;
  const suspend = (error: unknown) => {
    suspendedUntil = performance.now() + SUSPENSION_MS;
    onError(error);
  };
  /** The folder; null while it is suspended after an error. */
  const folder = () => (performance.now() < suspendedUntil ? null : opened);

  const shared = sharing ? createSharedRenders(sharing) : null;
  const memory = new LRUCache<string, WholePicture<Timings>>({
    // 0 would mean no limit.
    maxSize: Math.max(1, memoryBytes),
    maxEntrySize: Math.max(1, Math.floor(memoryBytes * SMALL_SHARE)),
    sizeCalculation: ({ bytes }) => bytes.byteLength + 1,
  });
  const streaming = new Map<string, StreamingEntry<Timings>>();
  /** Pictures that are being written to disk. */
  const storing = new ShortLivedMap<string, WholePicture<Timings>>();
  const writing = new Set<Promise<void>>();
  const renders = createSingleFlight<Picture<Timings>>();
  const streams = createSingleFlight<Picture<Timings> | StreamingEntry<Timings> | null>();
  const refused = createSingleFlight<Picture<Timings> | null>();

  /** Runs work in the background; `close` waits for it. */
  const track = (work: Promise<void>, ended: () => void) => {
    const tracked = work.catch(suspend).finally(() => {
      writing.delete(tracked);
      ended();
    });
    writing.add(tracked);
  };
  /**
   * Stores a new picture in the folder; in memory if that does not take it. Most pictures are asked for once, and V8 frees
   * late what is kept for a while, so others come to memory when they are asked for again.
   */
  const store = (fingerprint: string, made: WholePicture<Timings>, isShared: boolean) => {
    const target = folder();
    if (target === null || made.bytes.byteLength > target.largestPicture) {
      memory.set(fingerprint, made);
      return;
    }
    storing.set(fingerprint, made);
    const written = write(target, fingerprint, made).then(
      () => {
        if (isShared) shared?.offer(fingerprint, target);
      },
      (error) => {
        memory.set(fingerprint, made);
        throw error;
      },
    );
    track(written, () => storing.delete(fingerprint));
  };
  const inMemory = (fingerprint: string): Picture<Timings> | null =>
    memory.get(fingerprint) ?? storing.get(fingerprint) ?? null;
  const find = async (fingerprint: string): Promise<Picture<Timings> | null> => {
    const found = inMemory(fingerprint);
    if (found) return found;
    const cached = await folder()?.find(fingerprint).catch(suspend);
    if (!cached) return null;
    const picture = pictureOf<Timings>(cached);
    if (isWhole(picture)) memory.set(fingerprint, picture);
    return picture;
  };

  /** Returns a picture that another node has made. */
  const fetchShared = async (fingerprint: string, signal: AbortSignal, isRefused = false) => {
    const target = folder();
    if (shared === null || target === null) return null;
    return (await shared.fetch(fingerprint, target, signal, isRefused)) ? find(fingerprint) : null;
  };
  /** Returns the cached picture, or the result of `make`. */
  const findOr =
    <Other>(
      fingerprint: string,
      isShared: boolean,
      make: (signal: AbortSignal) => Promise<Other>,
    ) =>
    async (signal: AbortSignal): Promise<Picture<Timings> | Other> => {
      const cached =
        (await find(fingerprint)) ?? (isShared ? await fetchShared(fingerprint, signal) : null);
      if (cached) return cached;
      signal.throwIfAborted();
      return make(signal);
    };
  const cacheWhole = (
    fingerprint: string,
    { timings, ...made }: RenderedPicture<Timings>,
    isShared: boolean,
  ): WholePicture<Timings> => {
    const { strain, backend, bytes, sha256 } = made;
    const digest = { length: bytes.length, sha256 };
    const picture = { strain, backend, digest, bytes, read: readerOf(bytes), timings: null };
    // It is sent meanwhile.
    store(fingerprint, picture, isShared);
    return { ...picture, timings: Promise.resolve(timings) };
  };
  const startStreaming = async (
    target: Folder,
    fingerprint: string,
    make: StartRender<Timings>,
    all: AbortSignal,
  ) => {
    const stop = new AbortController();
    const streamed = await make(AbortSignal.any([all, stop.signal]));
    all.throwIfAborted();
    let entry: StreamingEntry<Timings> | null = null;
    const forget = () => {
      if (streaming.get(fingerprint) === entry) streaming.delete(fingerprint);
    };
    const cancel = (reason: unknown) => {
      // New readers would otherwise get the reason of those who left.
      forget();
      stop.abort(reason);
    };
    const options = {
      folder: target,
      fingerprint,
      streamed,
      cancel,
      onUnavailable: forget,
      onError: suspend,
    };
    entry = (await createStreamingEntry(options).catch(suspend)) ?? null;
    if (entry === null) {
      stop.abort();
      return null;
    }
    streaming.set(fingerprint, entry);
    track(
      entry.ended.then((isCached) => {
        if (isCached) shared?.offer(fingerprint, target);
      }),
      forget,
    );
    if (all.aborted) cancel(all.reason);
    return entry;
  };

  return {
    inMemory,
    has: (fingerprint) =>
      inMemory(fingerprint) !== null ||
      streaming.has(fingerprint) ||
      renders.isInFlight(fingerprint) ||
      streams.isInFlight(fingerprint) ||
      folder()?.has(fingerprint) === true,
    find,
    findShared: (fingerprint, wait) =>
      refused.share(fingerprint, (signal) => fetchShared(fingerprint, signal, true), wait),
    async getOrRender(fingerprint, make, wait, isShared = false) {
      wait.throwIfAborted();
      const made = findOr(fingerprint, isShared, async (signal) =>
        cacheWhole(fingerprint, await make(signal), isShared),
      );
      return inMemory(fingerprint) ?? renders.share(fingerprint, made, wait);
    },
    async getOrStream(fingerprint, make, { signal, wait }) {
      wait.throwIfAborted();
      // Null if the picture cannot be shared while it is rendered.
      const start = findOr(fingerprint, true, async (all) => {
        const target = folder();
        return target === null ? null : startStreaming(target, fingerprint, make, all);
      });
      const picture =
        inMemory(fingerprint) ??
        streaming.get(fingerprint) ??
        (await streams.share(fingerprint, start, wait));
      const subscribed = picture && "subscribe" in picture ? picture.subscribe(signal) : picture;
      return subscribed ?? uncached(await make(wait));
    },
    bytes: () => ({ memory: memory.calculatedSize, disk: opened?.bytes() ?? 0 }),
    close: async () => {
      await Promise.all(writing);
      await shared?.close();
    },
  };
}

async function write<Timings>(
  folder: Folder,
  fingerprint: string,
  { bytes, digest, strain, backend }: WholePicture<Timings>,
): Promise<void> {
  const hashes = await hashChunks(bytes, digest.sha256);
  const footer = footerOf({ name: fingerprint, ...digest, strain, backend, hashes });
  // After a crash of the machine a small one that is incomplete is found by its hashes before any of it is sent.
  const flush = bytes.byteLength > SMALL_BYTES;
  const create = (path: string) =>
    writeFile(path, [bytes, footer], { flag: "wx", mode: 0o600, flush });
  const [draft] = await folder.draft(create);
  try {
    await folder.commit(draft, fingerprint, bytes.byteLength);
  } catch (error) {
    await folder.discard(draft);
    throw error;
  }
}
