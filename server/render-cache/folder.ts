/**
 * The folder of kept pictures. Processes of one machine may share it: files appear whole, under a
 * name that says what they are, and may go at any time.
 */
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
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

/** A picture that lies there. */
export interface Kept extends Facts {
  /** All of it, where it was small enough to be read and checked. */
  readonly bytes: Uint8Array | null;
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

export interface Folder {
  /** The picture of that name; null where there is none. What is broken is removed. */
  find(name: string): Promise<Kept | null>;
  /** Where to write a new file. */
  draft(): string;
  /** Makes a draft the file of that name, and removes old ones when there are too many bytes. */
  keep(draft: string, name: string): Promise<void>;
  discard(draft: string): Promise<void>;
}

/** Files up to so many bytes are read as a whole. */
const SMALL_BYTES = 8 * 1024 * 1024;

/** When it was used is noted no more often than this, in milliseconds. */
const NOTED_MS = 60_000;

/** A draft this old is one of a process that died. */
const DRAFT_MS = 60 * 60_000;

/** Files are removed until this share of the bound is left. */
const SWEPT_SHARE = 0.9;

/** What others put in is looked at each time this share of the bound was put in here. */
const LOOK_SHARE = 1 / 16;

/** Opens the folder, making it where there is none. Throws what the file system throws. */
export async function openFolder(path: string, maximumBytes: number): Promise<Folder> {
  const drafts = join(path, "drafts");
  await mkdir(drafts, { recursive: true, mode: 0o700 });
  await removeOlder(drafts, Date.now() - DRAFT_MS);
  const pathOf = (name: string) => join(path, name.slice(0, 2), name);

  let unseen = 0;
  let sweeping: Promise<void> | null = null;
  const sweepOnce = () => {
    unseen = 0;
    sweeping ??= sweep(path, maximumBytes).finally(() => {
      sweeping = null;
    });
    return sweeping;
  };
  await sweepOnce();

  return {
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
    draft: () => join(drafts, randomUUID()),
    async keep(draft, name) {
      const place = pathOf(name);
      await mkdir(join(path, name.slice(0, 2)), { recursive: true, mode: 0o700 });
      unseen += (await stat(draft)).size;
      await rename(draft, place);
      if (unseen > maximumBytes * LOOK_SHARE) await sweepOnce();
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
    return { ...facts, bytes: null, read: (start, end) => createReadStream(place, { start, end }) };
  }
  const bytes = (await readFile(file)).subarray(0, facts.length);
  // A disk may lie, and a machine may have stopped while it was written.
  if (createHash("sha256").update(bytes).digest("hex") !== facts.sha256) return null;
  return { ...facts, bytes, read: (start, end) => one(bytes.subarray(start, end + 1)) };
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Removes the pictures that were used longest ago until the rest fits well within the bound. */
async function sweep(path: string, maximumBytes: number): Promise<void> {
  const found = await readdir(path, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    found
      .filter((entry) => entry.isFile() && !entry.parentPath.endsWith("drafts"))
      .map(async (entry) => {
        const place = join(entry.parentPath, entry.name);
        const facts = await stat(place).catch(nullIfMissing);
        return { place, size: facts?.size ?? 0, usedAt: facts?.mtimeMs ?? 0 };
      }),
  );
  let bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= maximumBytes) return;
  for (const { place, size } of files.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (bytes <= maximumBytes * SWEPT_SHARE) return;
    await rm(place, { force: true });
    bytes -= size;
  }
}

async function removeOlder(folder: string, time: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const place = join(folder, name);
    const facts = await stat(place).catch(nullIfMissing);
    if (facts && facts.mtimeMs < time) await rm(place, { force: true });
  }
}

/** Another process may have removed it. */
function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
