/**
 * The folder of kept pictures. Processes of one machine may share it: files appear whole, under a
 * name that says what they are, and may go at any time.
 */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { type Entry, type Facts, readEntry, readVerified } from "./entry.ts";
import { readerOf } from "./picture.ts";

/** A picture that lies there. */
export interface Kept extends Facts {
  /** All of it, where it is small. */
  readonly bytes: Uint8Array | null;
  /** Verified bytes `start` to `end`, both included. Throws UnreadableEntry. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/** A kept picture cannot be read: it was damaged, or removed in the meantime. It is kept no longer. */
export class UnreadableEntry extends Error {
  override readonly name = "UnreadableEntry";
  constructor(name: string, cause: unknown) {
    super(`the kept picture ${name} cannot be read`, { cause });
  }
}

export interface Folder {
  /** Whether a file of that name lies there, by a look that is quick and blocks the thread. */
  has(name: string): boolean;
  /** The picture of that name; null where there is none. One that is damaged is removed. */
  find(name: string): Promise<Kept | null>;
  /** Where to write a new file. */
  draft(): Promise<string>;
  /**
   * Makes a draft of so many bytes the file of that name, and removes old ones when there are too
   * many bytes. One that would drive out too many others is not kept.
   */
  keep(draft: string, name: string, bytes: number): Promise<void>;
  discard(draft: string): Promise<void>;
}

const DRAFTS = "drafts";

/** Files up to so many bytes are read as a whole. */
const SMALL_BYTES = 8 * 1024 * 1024;

/** When it was used is noted no more often than this, in milliseconds. */
const NOTED_MS = 60_000;

/** A draft that nobody has written to for so long is one of a process that died. */
const DRAFT_MS = 10 * 60_000;

/** Files are removed until this share of the bound is left. */
const SWEPT_SHARE = 0.9;

/** What others put in is looked at each time this share of the bound was put in here. */
const LOOK_SHARE = 1 / 16;

/** A single picture takes no more of the bound. */
const LARGEST_SHARE = 1 / 2;

/**
 * Opens the folder, making it where there is none. Throws what the file system throws.
 * @param damaged hears of each picture that was found damaged, and removed
 */
export async function openFolder(
  path: string,
  maximumBytes: number,
  damaged: (error: UnreadableEntry) => void,
): Promise<Folder> {
  const drafts = join(path, DRAFTS);
  await mkdir(drafts, { recursive: true, mode: 0o700 });
  const pathOf = (name: string) => join(path, name.slice(0, 2), name);

  await sweep(path, maximumBytes);
  let unseen = 0;
  const isDue = () => unseen > maximumBytes * LOOK_SHARE;
  let sweeping: Promise<unknown> = Promise.resolve();
  /** One after the other: the one under way may have listed the files before the last one came. */
  const sweepInTurn = () => {
    const swept = sweeping.then(async () => {
      if (!isDue()) return;
      unseen = 0;
      await sweep(path, maximumBytes);
    });
    sweeping = swept.catch(() => undefined);
    return swept;
  };

  return {
    has: (name) => existsSync(pathOf(name)),
    async find(name) {
      const place = pathOf(name);
      const drop = async (cause: unknown) => {
        const error = new UnreadableEntry(name, cause);
        if ((cause as NodeJS.ErrnoException).code !== "ENOENT") {
          damaged(error);
          await rm(place, { force: true });
        }
        return error;
      };
      const file = await open(place, "r").catch(nullIfMissing);
      if (file === null) return null;
      try {
        return await look(name, place, file, drop);
      } catch (error) {
        await drop(error);
        return null;
      } finally {
        await file.close();
      }
    },
    async draft() {
      // The folder may be deleted at any time.
      await mkdir(drafts, { recursive: true, mode: 0o700 });
      return join(drafts, randomUUID());
    },
    async keep(draft, name, bytes) {
      if (bytes > maximumBytes * LARGEST_SHARE) return rm(draft, { force: true });
      await mkdir(join(path, name.slice(0, 2)), { recursive: true, mode: 0o700 });
      await rename(draft, pathOf(name));
      unseen += bytes;
      if (isDue()) await sweepInTurn();
    },
    discard: (draft) => rm(draft, { force: true }),
  };
}

/** What lies there. Rejects where it is damaged; what is read of it later calls `drop` then. */
async function look(
  name: string,
  place: string,
  file: FileHandle,
  drop: (cause: unknown) => Promise<UnreadableEntry>,
): Promise<Kept> {
  const { size, mtimeMs } = await file.stat();
  const entry = await readEntry(file, size, name);
  const now = new Date();
  if (now.getTime() - mtimeMs > NOTED_MS) await utimes(place, now, now).catch(nullIfMissing);
  if (entry.length > SMALL_BYTES) {
    return {
      ...entry,
      bytes: null,
      read: (start, end) => readLater(place, entry, start, end, drop),
    };
  }
  const chunks = await Array.fromAsync(readVerified(file, entry, 0, entry.length - 1));
  const bytes = Buffer.concat(chunks);
  return { ...entry, bytes, read: readerOf(bytes) };
}

async function* readLater(
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

interface Lying {
  readonly place: string;
  readonly isDraft: boolean;
  readonly size: number;
  readonly usedAt: number;
}

/**
 * Removes the pictures that were used longest ago until the rest, with what is being written, fits
 * well within the bound; and the drafts of processes that died.
 */
async function sweep(path: string, maximumBytes: number): Promise<void> {
  const files: Lying[] = [];
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    const place = join(entry.parentPath, entry.name);
    const facts = entry.isFile() ? await stat(place).catch(nullIfMissing) : null;
    if (facts === null) continue;
    const isDraft = entry.parentPath.endsWith(DRAFTS);
    if (isDraft && Date.now() - facts.mtimeMs > DRAFT_MS) await rm(place, { force: true });
    else files.push({ place, isDraft, size: facts.size, usedAt: facts.mtimeMs });
  }
  let bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= maximumBytes) return;
  const kept = files.filter(({ isDraft }) => !isDraft);
  for (const { place, size } of kept.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (bytes <= maximumBytes * SWEPT_SHARE) return;
    await rm(place, { force: true });
    bytes -= size;
  }
}

/** Another process may have removed it. */
function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
