/**
 * Rendered pictures, kept on disk and the small ones of late in memory, so that none is made twice:
 * not for those who come later, nor for those who come while it is being made.
 */
import { writeFile } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import { footerOf, hashChunks } from "./entry.ts";
import { type Folder, type Kept, openFolder } from "./folder.ts";
import { type Made, type Making, type Picture, readerOf } from "./picture.ts";
import { createSingleFlight } from "./single-flight.ts";
import { createStreamingEntry, type StreamingEntry } from "./streaming-entry.ts";

export { UnreadableEntry } from "./folder.ts";
export type { Made, Making, Picture } from "./picture.ts";

export interface RenderCache<Timings> {
  /** The picture of a name, if it is in memory. */
  held(name: string): Picture<Timings> | null;
  /** Whether there is a picture of a name, or one on its way, by a look that waits for nothing. */
  has(name: string): boolean;
  /** The picture of a name, 64 hex digits that stand for all about it; null where none is kept. */
  find(name: string): Promise<Picture<Timings> | null>;
  /**
   * Returns the picture of a name: the one that is kept, or else what `make` makes. Throws what `make`
   * throws and what `wait` aborts with. The signal of `make` aborts once all who wait have left.
   */
  whole(
    name: string,
    make: (signal: AbortSignal) => Promise<Made<Timings>>,
    wait: AbortSignal,
  ): Promise<Picture<Timings>>;
  /** Like `whole`, for a picture that is read while it is made. */
  stream(name: string, make: Make<Timings>, reader: StreamReader): Promise<Picture<Timings>>;
  /** Settles once everything that was made lies on disk. */
  close(): Promise<void>;
}

export type Make<Timings> = (signal: AbortSignal) => Promise<Making<Timings>>;

/** Who reads a picture while it is made. */
export interface StreamReader {
  /** Aborts when the reader leaves. */
  readonly signal: AbortSignal;
  /** Aborts when the reader leaves, or has waited long enough for the first bytes. */
  readonly wait: AbortSignal;
}

export interface RenderCacheOptions {
  readonly folder: string;
  /** Of all files. */
  readonly maximumBytes: number;
  /** Of pictures in memory. */
  readonly memoryBytes: number;
  /** Hears of what goes wrong with the folder; pictures are made all the same. */
  readonly failed: (error: unknown) => void;
}

/** A picture of more than this share of the memory is not kept there. */
const SMALL_SHARE = 1 / 8;

/** For so many milliseconds nothing is written to a folder that failed. */
const REST_MS = 30_000;

/** Opens the cache. Throws what the file system throws. */
export async function openRenderCache<Timings>({
  folder: path,
  maximumBytes,
  memoryBytes,
  failed,
}: RenderCacheOptions): Promise<RenderCache<Timings>> {
  const opened = maximumBytes > 0 ? await openFolder(path, maximumBytes, failed) : null;
  let restsUntil = 0;
  const trouble = (error: unknown) => {
    restsUntil = performance.now() + REST_MS;
    failed(error);
  };
  /** The folder while it can be used: without it there are just no pictures from before. */
  const folder = () => (performance.now() < restsUntil ? null : opened);

  const memory = new LRUCache<string, WholePicture<Timings>>({
    // None would mean that there is no bound.
    maxSize: Math.max(1, memoryBytes),
    maxEntrySize: Math.max(1, Math.floor(memoryBytes * SMALL_SHARE)),
    sizeCalculation: ({ bytes }) => bytes.byteLength + 1,
  });
  const growing = new Map<string, StreamingEntry<Timings>>();
  /** Pictures in memory until they lie on disk. */
  const storing = new Map<string, WholePicture<Timings>>();
  const writing = new Set<Promise<void>>();
  const wholes = createSingleFlight<Picture<Timings>>();
  const streams = createSingleFlight<Picture<Timings> | StreamingEntry<Timings> | null>();

  /** Lets work go on that nobody waits for but `close`. */
  const track = (work: Promise<void>, ended: () => void) => {
    const tracked = work.catch(trouble).finally(() => {
      writing.delete(tracked);
      ended();
    });
    writing.add(tracked);
  };
  const store = (name: string, made: WholePicture<Timings>) => {
    const place = folder();
    if (place === null) return;
    storing.set(name, made);
    track(write(place, name, made), () => storing.delete(name));
  };
  const held = (name: string): Picture<Timings> | null =>
    memory.get(name) ?? storing.get(name) ?? null;
  const find = async (name: string): Promise<Picture<Timings> | null> => {
    const there = held(name);
    if (there) return there;
    const kept = await folder()?.find(name).catch(trouble);
    if (!kept) return null;
    const picture = pictureOf<Timings>(kept);
    if (isWhole(picture)) memory.set(name, picture);
    return picture;
  };

  /** Returns the kept picture, or what `make` makes where there is none. */
  const findOr =
    <Other>(name: string, make: (signal: AbortSignal) => Promise<Other>) =>
    async (signal: AbortSignal): Promise<Picture<Timings> | Other> => {
      const kept = await find(name);
      if (kept) return kept;
      signal.throwIfAborted();
      return make(signal);
    };
  const keep = (name: string, { timings, ...made }: Made<Timings>): WholePicture<Timings> => {
    const { strain, backend, bytes, sha256 } = made;
    const whole = { length: bytes.length, sha256 };
    const picture = { strain, backend, whole, bytes, read: readerOf(bytes), timings: null };
    memory.set(name, picture);
    // Written to disk while it is sent.
    store(name, picture);
    return { ...picture, timings: Promise.resolve(timings) };
  };
  const grow = async (place: Folder, name: string, make: Make<Timings>, all: AbortSignal) => {
    const stop = new AbortController();
    const making = await make(AbortSignal.any([all, stop.signal]));
    all.throwIfAborted();
    let grown: StreamingEntry<Timings> | null = null;
    const forget = () => {
      if (growing.get(name) === grown) growing.delete(name);
    };
    const abandon = (reason: unknown) => {
      // Whoever comes now would be told that others have left.
      forget();
      stop.abort(reason);
    };
    const growth = { folder: place, name, making, abandon, broke: forget, failed: trouble };
    grown = (await createStreamingEntry(growth).catch(trouble)) ?? null;
    if (grown === null) {
      stop.abort();
      return null;
    }
    growing.set(name, grown);
    track(grown.ended, forget);
    if (all.aborted) abandon(all.reason);
    return grown;
  };

  return {
    held,
    has: (name) =>
      held(name) !== null ||
      growing.has(name) ||
      wholes.isUnderWay(name) ||
      streams.isUnderWay(name) ||
      folder()?.has(name) === true,
    find,
    async whole(name, make, wait) {
      wait.throwIfAborted();
      const made = findOr(name, async (signal) => keep(name, await make(signal)));
      return held(name) ?? wholes.share(name, made, wait);
    },
    async stream(name, make, { signal, wait }) {
      wait.throwIfAborted();
      // Null where the picture cannot be shared while it is made.
      const begun = findOr(name, async (all) => {
        const place = folder();
        return place === null ? null : grow(place, name, make, all);
      });
      const picture = held(name) ?? growing.get(name) ?? (await streams.share(name, begun, wait));
      const seated = picture && "seat" in picture ? picture.seat(signal) : picture;
      return seated ?? passing(await make(wait));
    },
    close: async () => {
      await Promise.all(writing);
    },
  };
}

/** A picture that is in memory. */
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
}: Kept): Picture<Timings> => ({
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
    await folder.keep(draft, name, bytes.byteLength);
  } catch (error) {
    await folder.discard(draft);
    throw error;
  }
}

/** A picture that cannot be kept: for whoever asked for it, as it comes. */
const passing = <Timings>({
  strain,
  backend,
  timings,
  body,
}: Making<Timings>): Picture<Timings> => ({
  strain,
  backend,
  timings,
  whole: null,
  bytes: null,
  read: () => body,
});
