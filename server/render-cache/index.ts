/**
 * Rendered pictures, kept on disk and the small ones of late in memory, so that none is made twice:
 * not for those who come later, nor for those who come while it is being made.
 */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { footerOf } from "./entry.ts";
import { type Folder, type Kept, openFolder } from "./folder.ts";
import { GrowingFile } from "./growing-file.ts";
import { type GrowingPicture, growPicture } from "./growing-picture.ts";
import type { Making, Picture } from "./picture.ts";
import { createSharedWork } from "./shared-work.ts";

export type { Making, Picture } from "./picture.ts";

export interface RenderCache<Timings> {
  /** The picture of a name, 64 hex digits that stand for all about it; null where none is kept. */
  find(name: string): Promise<Picture<Timings> | null>;
  /**
   * The picture of a name: the one that is kept, or else what `make` makes. One that `isWhole` is
   * given once all of it is there, another one as soon as it has begun. Throws what `make` throws
   * and what `wait` aborts with; once all who wait for it or read it have left, its making ends.
   */
  picture(name: string, make: Make<Timings>, options: PictureOptions): Promise<Picture<Timings>>;
  /** Settles once everything that was made lies on disk. */
  close(): Promise<void>;
}

export type Make<Timings> = (signal: AbortSignal) => Promise<Making<Timings>>;

export interface PictureOptions {
  readonly isWhole: boolean;
  /** Aborts when the caller leaves, */
  readonly signal: AbortSignal;
  /** and this one also when it has waited long enough for the picture. */
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

/** Opens the cache. Throws what the file system throws. */
export async function openRenderCache<Timings>({
  folder: path,
  maximumBytes,
  memoryBytes,
  failed,
}: RenderCacheOptions): Promise<RenderCache<Timings>> {
  const folder = await openFolder(path, maximumBytes);
  const memory = new LRUCache<string, Picture<Timings> & { readonly bytes: Uint8Array }>({
    // None would mean that there is no bound.
    maxSize: Math.max(1, memoryBytes),
    maxEntrySize: Math.max(1, Math.floor(memoryBytes * SMALL_SHARE)),
    sizeCalculation: ({ bytes }) => bytes.byteLength + 1,
  });
  const growing = new Map<string, GrowingPicture<Timings>>();
  const share = createSharedWork<Picture<Timings> | GrowingPicture<Timings> | null>();

  const remember = (name: string, picture: Picture<Timings>) => {
    const { bytes } = picture;
    if (bytes) memory.set(name, { ...picture, bytes, timings: null });
    return picture;
  };
  const find = async (name: string) => {
    const remembered = memory.get(name);
    if (remembered) return remembered;
    // Without its folder the cache has nothing, and the service works on.
    const kept = await folder.find(name).catch(failed);
    return kept ? remember(name, pictureOf(kept)) : null;
  };
  const writing = new Set<Promise<void>>();
  const keep = (work: Promise<void>) => {
    const kept = work.catch(failed).finally(() => writing.delete(kept));
    writing.add(kept);
  };
  /** Null where the picture cannot be kept, so that everybody has to make it alone. */
  const begin = async (name: string, make: Make<Timings>, isWhole: boolean, all: AbortSignal) => {
    const kept = await find(name);
    if (kept) return kept;
    all.throwIfAborted();
    if (isWhole) {
      const made = await collect(await make(all));
      // It need not lie there before it is given out.
      keep(store(folder, name, made));
      return remember(name, made);
    }
    const stop = new AbortController();
    const making = await make(AbortSignal.any([all, stop.signal]));
    const grown = await growPicture({ folder, name, making, stop, failed }).catch(failed);
    if (!grown) {
      stop.abort();
      return null;
    }
    growing.set(name, grown);
    keep(grown.ended.finally(() => growing.delete(name)));
    return grown;
  };

  return {
    find,
    async picture(name, make, { isWhole, signal, wait }) {
      const picture =
        memory.get(name) ??
        growing.get(name) ??
        (await share(name, (all) => begin(name, make, isWhole, all), wait));
      if (picture === null) return passing(await make(signal));
      return "seat" in picture ? picture.seat(signal) : picture;
    },
    close: async () => {
      await Promise.all(writing);
    },
  };
}

const pictureOf = <Timings>({ length, sha256, ...kept }: Kept): Picture<Timings> => ({
  ...kept,
  whole: { length, sha256 },
  timings: null,
});

/** All of a picture. */
async function collect<Timings>(making: Making<Timings>): Promise<WholePicture<Timings>> {
  const bytes = Buffer.concat(await Array.fromAsync(making.body));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return {
    strain: making.strain,
    backend: making.backend,
    timings: making.timings,
    whole: { length: bytes.length, sha256 },
    bytes,
    async *read(start, end) {
      yield bytes.subarray(start, end + 1);
    },
  };
}

type WholePicture<Timings> = Picture<Timings> & {
  readonly bytes: Uint8Array;
  readonly whole: object;
};

async function store<Timings>(
  folder: Folder,
  name: string,
  { bytes, whole, strain, backend }: WholePicture<Timings>,
): Promise<void> {
  const draft = folder.draft();
  const file = await GrowingFile.create(draft);
  try {
    await file.write(bytes);
    await file.seal(footerOf({ ...whole, strain, backend }));
    await folder.keep(draft, name);
  } catch (error) {
    await folder.discard(draft);
    throw error;
  } finally {
    await file.close();
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
