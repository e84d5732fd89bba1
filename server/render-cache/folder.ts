/**
 * The folder of kept pictures. Processes of one machine may share it: files appear whole, under a
 * name that says what they are, and may go at any time.
 */
import { createHash, randomUUID } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
} from "node:fs/promises";
import { join } from "node:path";
import { type Facts, readFacts } from "./entry.ts";
import { readerOf } from "./picture.ts";

/** A picture that lies there. */
export interface Kept extends Facts {
  /** All of it, where it was small enough to be read and checked. */
  readonly bytes: Uint8Array | null;
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

export interface Folder {
  /** Whether a file of that name lies there, by a look that is quick and blocks the thread. */
  has(name: string): boolean;
  /** The picture of that name; null where there is none. What is broken is removed. */
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

/** Opens the folder, making it where there is none. Throws what the file system throws. */
export async function openFolder(path: string, maximumBytes: number): Promise<Folder> {
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
      const file = await open(place, "r").catch(nullIfMissing);
      if (file === null) return null;
      try {
        const kept = await look(place, file);
        if (kept === null) await rm(place, { force: true });
        return kept;
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

async function look(place: string, file: FileHandle): Promise<Kept | null> {
  const { size, mtimeMs } = await file.stat();
  const facts = await readFacts(file, size);
  if (facts === null) return null;
  const now = new Date();
  if (now.getTime() - mtimeMs > NOTED_MS) await utimes(place, now, now).catch(nullIfMissing);
  if (facts.length > SMALL_BYTES) {
    // What is known of the picture follows it in the file.
    const last = facts.length - 1;
    const read = (start: number, end: number) =>
      createReadStream(place, { start, end: Math.min(end, last) });
    return { ...facts, bytes: null, read };
  }
  const bytes = (await readFile(file)).subarray(0, facts.length);
  // A disk may lie, and a machine may have stopped while it was written.
  if (createHash("sha256").update(bytes).digest("hex") !== facts.sha256) return null;
  return { ...facts, bytes, read: readerOf(bytes) };
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
