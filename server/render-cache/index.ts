/**
 * Cache of rendered pictures on disk, with recent small ones in memory. Concurrent requests for the
 * same picture share one render.
 */
import { writeFile } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import { footerOf, hashChunks } from "./entry.ts";
import { type CachedPicture, type Folder, openFolder } from "./folder.ts";
import { type Picture, type RenderedPicture, readerOf, type StreamedPicture } from "./picture.ts";
import { createSingleFlight } from "./single-flight.ts";
import { createStreamingEntry, type StreamingEntry } from "./streaming-entry.ts";

export { UnreadableEntry } from "./folder.ts";
export type { Picture, RenderedPicture, StreamedPicture } from "./picture.ts";

export interface RenderCache<Timings> {
  /** Returns the picture of a name if it is in memory. */
  inMemory(name: string): Picture<Timings> | null;
  /** Whether a picture is cached or being rendered, checked synchronously. */
  has(name: string): boolean;
  /** Returns the cached picture of a name (64 hex digits: a hash of what decides it), or null. */
  find(name: string): Promise<Picture<Timings> | null>;
  /**
   * Returns the cached picture of a name, or caches the result of `make`. Throws the errors of `make`
   * and the reason of `wait`. The signal of `make` aborts once no caller waits any more.
   */
  whole(
    name: string,
    make: (signal: AbortSignal) => Promise<RenderedPicture<Timings>>,
    wait: AbortSignal,
  ): Promise<Picture<Timings>>;
  /** Like `whole`, for a picture that is read while it is rendered. */
  stream(name: string, make: StartRender<Timings>, reader: StreamReader): Promise<Picture<Timings>>;
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
  readonly failed: (error: unknown) => void;
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
  failed,
}: RenderCacheOptions): Promise<RenderCache<Timings>> {
  const opened = maximumBytes > 0 ? await openFolder(path, maximumBytes, failed) : null;
  let suspendedUntil = 0;
  const suspend = (error: unknown) => {
    suspendedUntil = performance.now() + SUSPENSION_MS;
    failed(error);
  };
  /** The folder; null while it is suspended after an error. */
  const folder = () => (performance.now() < suspendedUntil ? null : opened);

  const memory = new LRUCache<string, WholePicture<Timings>>({
    // 0 would mean no limit.
    maxSize: Math.max(1, memoryBytes),
    maxEntrySize: Math.max(1, Math.floor(memoryBytes * SMALL_SHARE)),
    sizeCalculation: ({ bytes }) => bytes.byteLength + 1,
  });
  const streaming = new Map<string, StreamingEntry<Timings>>();
  /** Pictures that are being written to disk. */
  const storing = new Map<string, WholePicture<Timings>>();
  const writing = new Set<Promise<void>>();
  const wholes = createSingleFlight<Picture<Timings>>();
  const streams = createSingleFlight<Picture<Timings> | StreamingEntry<Timings> | null>();

  /** Runs work in the background; `close` waits for it. */
  const track = (work: Promise<void>, ended: () => void) => {
    const tracked = work.catch(suspend).finally(() => {
      writing.delete(tracked);
      ended();
    });
    writing.add(tracked);
  };
  const store = (name: string, made: WholePicture<Timings>) => {
    const target = folder();
    if (target === null) return;
    storing.set(name, made);
    track(write(target, name, made), () => storing.delete(name));
  };
  const inMemory = (name: string): Picture<Timings> | null =>
    memory.get(name) ?? storing.get(name) ?? null;
  const find = async (name: string): Promise<Picture<Timings> | null> => {
    const found = inMemory(name);
    if (found) return found;
    const cached = await folder()?.find(name).catch(suspend);
    if (!cached) return null;
    const picture = pictureOf<Timings>(cached);
    if (isWhole(picture)) memory.set(name, picture);
    return picture;
  };

  /** Returns the cached picture, or the result of `make`. */
  const findOr =
    <Other>(name: string, make: (signal: AbortSignal) => Promise<Other>) =>
    async (signal: AbortSignal): Promise<Picture<Timings> | Other> => {
      const cached = await find(name);
      if (cached) return cached;
      signal.throwIfAborted();
      return make(signal);
    };
  const cacheWhole = (
    name: string,
    { timings, ...made }: RenderedPicture<Timings>,
  ): WholePicture<Timings> => {
    const { strain, backend, bytes, sha256 } = made;
    const whole = { length: bytes.length, sha256 };
    const picture = { strain, backend, whole, bytes, read: readerOf(bytes), timings: null };
    memory.set(name, picture);
    // It is sent meanwhile.
    store(name, picture);
    return { ...picture, timings: Promise.resolve(timings) };
  };
  const startStreaming = async (
    target: Folder,
    name: string,
    make: StartRender<Timings>,
    all: AbortSignal,
  ) => {
    const stop = new AbortController();
    const streamed = await make(AbortSignal.any([all, stop.signal]));
    all.throwIfAborted();
    let entry: StreamingEntry<Timings> | null = null;
    const forget = () => {
      if (streaming.get(name) === entry) streaming.delete(name);
    };
    const cancel = (reason: unknown) => {
      // New readers would otherwise get the reason of those who left.
      forget();
      stop.abort(reason);
    };
    const options = { folder: target, name, streamed, cancel, broke: forget, failed: suspend };
    entry = (await createStreamingEntry(options).catch(suspend)) ?? null;
    if (entry === null) {
      stop.abort();
      return null;
    }
    streaming.set(name, entry);
    track(entry.ended, forget);
    if (all.aborted) cancel(all.reason);
    return entry;
  };

  return {
    inMemory,
    has: (name) =>
      inMemory(name) !== null ||
      streaming.has(name) ||
      wholes.isInFlight(name) ||
      streams.isInFlight(name) ||
      folder()?.has(name) === true,
    find,
    async whole(name, make, wait) {
      wait.throwIfAborted();
      const made = findOr(name, async (signal) => cacheWhole(name, await make(signal)));
      return inMemory(name) ?? wholes.share(name, made, wait);
    },
    async stream(name, make, { signal, wait }) {
      wait.throwIfAborted();
      // Null if the picture cannot be shared while it is rendered.
      const start = findOr(name, async (all) => {
        const target = folder();
        return target === null ? null : startStreaming(target, name, make, all);
      });
      const picture =
        inMemory(name) ?? streaming.get(name) ?? (await streams.share(name, start, wait));
      const subscribed = picture && "subscribe" in picture ? picture.subscribe(signal) : picture;
      return subscribed ?? uncached(await make(wait));
    },
    close: async () => {
      await Promise.all(writing);
    },
  };
}

/** A picture in memory. */
type WholePicture<Timings> = Picture<Timings> & {
  readonly bytes: Uint8Array;
  readonly whole: object;
};

const isWhole = <Timings>(picture: Picture<Timings>): picture is WholePicture<Timings> =>
  picture.bytes !== null;

const pictureOf = <Timings>({
  length,
  sha256,
  strain,
  backend,
  bytes,
  read,
}: CachedPicture): Picture<Timings> => ({
  strain,
  backend,
  bytes,
  read,
  whole: { length, sha256 },
  timings: null,
});

async function write<Timings>(
  folder: Folder,
  name: string,
  { bytes, whole, strain, backend }: WholePicture<Timings>,
): Promise<void> {
  const draft = await folder.draft();
  try {
    const footer = footerOf({ name, ...whole, strain, backend, hashes: await hashChunks(bytes) });
    await writeFile(draft, [bytes, footer], { flag: "wx", mode: 0o600, flush: true });
    await folder.commit(draft, name, bytes.byteLength);
  } catch (error) {
    await folder.discard(draft);
    throw error;
  }
}

/** Returns a picture that cannot be cached, for its one reader. */
const uncached = <Timings>({
  strain,
  backend,
  timings,
  body,
}: StreamedPicture<Timings>): Picture<Timings> => ({
  strain,
  backend,
  timings,
  whole: null,
  bytes: null,
  read: () => body,
});
