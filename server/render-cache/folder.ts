/**
 * The folder of cached pictures. Processes of one machine may share it: files appear complete, under
 * a hash of what decides their content, and may be deleted at any time.
 */
import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Entry, type EntryFacts, readEntry, readVerified } from "./entry.ts";
import { type Picture, readerOf } from "./picture.ts";

export interface CachedPicture extends EntryFacts {
  /** All bytes of a small picture. */
  readonly bytes: Uint8Array | null;
  /** Yields verified bytes `start` to `end`, both included. Throws UnreadableEntry. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/** A cached picture cannot be read: it is damaged and was deleted, or has been removed meanwhile. */
export class UnreadableEntry extends Error {
  override readonly name = "UnreadableEntry";
  constructor(fingerprint: string, cause: unknown) {
    super(`the cached picture ${fingerprint} cannot be read`, { cause });
  }
}

export interface Folder {
  /** Bytes of the largest file that it takes. */
  readonly largestPicture: number;
  /** Whether a file of that fingerprint exists, checked synchronously. */
  has(fingerprint: string): boolean;
  /** Returns the picture of that fingerprint, or null; a damaged one is deleted. */
  find(fingerprint: string): Promise<CachedPicture | null>;
  /**
   * Has `create` make a file at the path of a new draft, once more if the folder was missing. Resolves with the path and
   * the result.
   */
  draft<Result>(create: (path: string) => Promise<Result>): Promise<[string, Result]>;
  /**
   * Renames a draft, which has `bytes` bytes, to the file of its picture, and evicts the least recently
   * used files above the limit. A draft that would evict too many others is deleted instead.
   */
  commit(draft: string, fingerprint: string, bytes: number): Promise<void>;
  /** Like `commit`, of a draft that comes from elsewhere. Throws if it is damaged. */
  adopt(draft: string, fingerprint: string): Promise<void>;
  discard(draft: string): Promise<void>;
  /** Opens the file of that fingerprint as it is; null if there is none. */
  open(fingerprint: string): Promise<FileHandle | null>;
  /** Bytes of the files: those found at the last sweep, and those that this process wrote since. */
  bytes(): number;
}

const DRAFTS = "drafts";

/** Maximum bytes of files that are read, and verified, as a whole before any of it is sent. */
export const SMALL_BYTES = 8 * 1024 * 1024;

/** Minimum milliseconds between two updates of a file's time of use. */
const TOUCH_MS = 60_000;

/** Milliseconds without a write after which a draft's process counts as dead. */
const DRAFT_MS = 10 * 60_000;

/** Share of the limit to which files are evicted. */
const TARGET_SHARE = 0.9;

/** Share of the limit that this process writes between two sweeps; other processes write, too. */
const SWEEP_SHARE = 1 / 16;

/** Maximum share of the limit for one picture. */
const MAX_PICTURE_SHARE = 1 / 2;

/**
 * Opens or creates the folder. Throws file system errors.
 * @param onDamaged called with the error of each damaged picture, which is deleted
 */
export async function openFolder(
  path: string,
  maximumBytes: number,
  onDamaged: (error: UnreadableEntry) => void,
): Promise<Folder> {
  const drafts = join(path, DRAFTS);
  await mkdir(drafts, { recursive: true, mode: 0o700 });
  const pathOf = (fingerprint: string) => join(path, fingerprint.slice(0, 2), fingerprint);

  let swept = await sweep(path, maximumBytes);
  let unswept = 0;
  const isDue = () => unswept > maximumBytes * SWEEP_SHARE;
  let sweeping: Promise<unknown> = Promise.resolve();
  /** Sweeps sequentially: a running sweep may have listed the files before the newest one came. */
  const sweepInTurn = () => {
    const turn = sweeping.then(async () => {
      if (!isDue()) return;
      unswept = 0;
      swept = await sweep(path, maximumBytes);
    });
    sweeping = turn.catch(() => undefined);
    return turn;
  };

  const largestPicture = maximumBytes * MAX_PICTURE_SHARE;
  const commit: Folder["commit"] = async (draft, fingerprint, bytes) => {
    if (bytes > largestPicture) return rm(draft, { force: true });
    const place = pathOf(fingerprint);
    await inFolder(dirname(place), () => rename(draft, place));
    unswept += bytes;
    if (isDue()) await sweepInTurn();
  };

  return {
    largestPicture,
    has: (fingerprint) => existsSync(pathOf(fingerprint)),
    async find(fingerprint) {
      const place = pathOf(fingerprint);
      const drop = async (cause: unknown) => {
        const error = new UnreadableEntry(fingerprint, cause);
        if ((cause as NodeJS.ErrnoException).code !== "ENOENT") {
          onDamaged(error);
          await rm(place, { force: true });
        }
        return error;
      };
      // Most pictures are asked for once: this takes microseconds, an `open` in Node's pool half a millisecond.
      if (statSync(place, { throwIfNoEntry: false }) === undefined) return null;
      const file = await open(place, "r").catch(nullIfMissing);
      if (file === null) return null;
      try {
        return await openEntry(fingerprint, place, file, drop);
      } catch (error) {
        await drop(error);
        return null;
      } finally {
        await file.close();
      }
    },
    async draft(create) {
      const draft = join(drafts, randomUUID());
      try {
        return [draft, await inFolder(drafts, () => create(draft))];
      } catch (error) {
        await rm(draft, { force: true }).catch(() => undefined);
        throw error;
      }
    },
    commit,
    adopt: async (draft, fingerprint) =>
      commit(draft, fingerprint, await verify(draft, fingerprint)),
    discard: (draft) => rm(draft, { force: true }),
    open: (fingerprint) => open(pathOf(fingerprint), "r").catch(nullIfMissing),
    bytes: () => swept + unswept,
  };
}

/** Runs work that adds a file to a folder; if the folder is missing, makes it and runs the work again. */
async function inFolder<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    nullIfMissing(error as NodeJS.ErrnoException);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return work();
  }
}

/** Returns the length of an undamaged file. Throws UnreadableEntry for any other, and file system errors. */
async function verify(place: string, fingerprint: string): Promise<number> {
  await using file = await open(place, "r");
  const { size } = await file.stat();
  try {
    const entry = await readEntry(file, size, fingerprint);
    await Array.fromAsync(readVerified(file, entry, 0, entry.length - 1), () => undefined);
    return size;
  } catch (error) {
    throw toUnreadable(fingerprint, error);
  }
}

/** Returns UnreadableEntry for damage; file system errors unchanged. */
const toUnreadable = (fingerprint: string, error: unknown) =>
  error instanceof Error && "code" in error ? error : new UnreadableEntry(fingerprint, error);

/** Reads an entry. Throws if it is damaged; later reads of a large one then call `drop`. */
async function openEntry(
  fingerprint: string,
  place: string,
  file: FileHandle,
  drop: (cause: unknown) => Promise<UnreadableEntry>,
): Promise<CachedPicture> {
  const { size, mtimeMs } = await file.stat();
  const entry = await readEntry(file, size, fingerprint);
  const now = new Date();
  if (now.getTime() - mtimeMs > TOUCH_MS) await utimes(place, now, now).catch(nullIfMissing);
  if (entry.length > SMALL_BYTES) {
    return {
      ...entry,
      bytes: null,
      read: (start, end) => readLazily(place, entry, start, end, drop),
    };
  }
  const chunks = await Array.fromAsync(readVerified(file, entry, 0, entry.length - 1));
  const bytes = Buffer.concat(chunks);
  return { ...entry, bytes, read: readerOf(bytes) };
}

async function* readLazily(
  place: string,
  entry: Entry,
  start: number,
  end: number,
  drop: (cause: unknown) => Promise<UnreadableEntry>,
): AsyncGenerator<Uint8Array> {
  let file: FileHandle | undefined;
  try {
    file = await open(place, "r");
    yield* readVerified(file, entry, start, end);
  } catch (error) {
    throw await drop(error);
  } finally {
    await file?.close();
  }
}

interface CacheFile {
  readonly place: string;
  readonly isDraft: boolean;
  readonly size: number;
  readonly usedAt: number;
}

/**
 * Deletes drafts of dead processes, and evicts the least recently used pictures above the limit. Returns the bytes that
 * are left.
 */
async function sweep(path: string, maximumBytes: number): Promise<number> {
  const files: CacheFile[] = [];
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    const place = join(entry.parentPath, entry.name);
    const facts = entry.isFile() ? await stat(place).catch(nullIfMissing) : null;
    if (facts === null) continue;
    const isDraft = entry.parentPath.endsWith(DRAFTS);
    if (isDraft && Date.now() - facts.mtimeMs > DRAFT_MS) await rm(place, { force: true });
    else files.push({ place, isDraft, size: facts.size, usedAt: facts.mtimeMs });
  }
  let bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= maximumBytes) return bytes;
  const pictures = files.filter(({ isDraft }) => !isDraft);
  for (const { place, size } of pictures.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (bytes <= maximumBytes * TARGET_SHARE) break;
    await rm(place, { force: true });
    bytes -= size;
  }
  return bytes;
}

/** Another process may have deleted the file. */
function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

/** Returns a picture from the folder. */
export const pictureOf = <Timings>({
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
  digest: { length, sha256 },
  timings: null,
});
