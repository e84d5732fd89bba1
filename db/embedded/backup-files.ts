/** The files of a backup of the embedded database, and the manifest that lists them. */
import { createHash } from "node:crypto";
import { constants, createWriteStream } from "node:fs";
import { lstat, open, writeFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import Type, { type Static } from "typebox";
import { DatabaseUnavailable, errorMessage } from "../connection/pool.ts";

/** A backup cannot be made or restored; the message is meant for the operator. */
export class BackupFailed extends Error {
  override readonly name = "BackupFailed";
  readonly code = "backup_failed";
}

/** Only the operator may read a backup: it has all secrets. */
export const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** The manifest's name in a backup's folder; it is written last. */
export const MANIFEST = "manifest.json";

/** Inside the backup: not absolute, and without `.`, `..` and empty parts. */
const RelativePath = Type.String({ pattern: "^(?!(.*/)?\\.{0,2}(/|$)).+$" });

const CopiedFile = Type.Object({
  bytes: Type.Integer(),
  /** Hexadecimal. */
  sha256: Type.String(),
});
export type CopiedFile = Static<typeof CopiedFile>;

export const Manifest = Type.Object({
  /** ISO 8601, UTC. What was committed before is in the backup. */
  made: Type.String(),
  /** Major version. */
  postgresql: Type.Integer(),
  /** Relative paths, outer ones first. Some are empty and have to exist. */
  folders: Type.Array(RelativePath),
  /** By relative path. */
  files: Type.Record(RelativePath, CopiedFile, { additionalProperties: false }),
});
export type Manifest = Static<typeof Manifest>;

/** What is said of a backup. */
export function summaryOf({ made, files }: Manifest) {
  const sizes = Object.values(files).map(({ bytes }) => bytes);
  return { made, files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/**
 * Copies a file to the disk. Rejects where there is a file already, and with the error's `path` as `from`
 * where there is none to copy. Resolves with what was copied.
 */
export async function copyFile(from: string, to: string, signal: AbortSignal): Promise<CopiedFile> {
  // The user that PostgreSQL runs as could put a link there.
  await using source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW);
  const hash = createHash("sha256");
  let bytes = 0;
  await pipeline(
    source.createReadStream({ highWaterMark: 1 << 20, autoClose: false }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(to, { flags: "wx", mode: FILE_MODE, flush: true }),
    { signal },
  );
  return { bytes, sha256: hash.digest("hex") };
}

/** Writes a new file to the disk. */
export async function writeNewFile(to: string, content: Uint8Array): Promise<CopiedFile> {
  await writeFile(to, content, { flag: "wx", mode: FILE_MODE, flush: true });
  return { bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") };
}

/** Writes the names in a folder to the disk. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path);
  await folder.sync();
}

/** Whether there is anything at a path, a link that leads nowhere included. */
export async function isTaken(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** Returns an error for the operator: those that say what to do, and the signal's reason, as they are. */
export function asFailure(doing: string, error: unknown, signal: AbortSignal): unknown {
  const isForOperator = error instanceof BackupFailed || error instanceof DatabaseUnavailable;
  if (isForOperator || signal.aborted) return signal.aborted ? signal.reason : error;
  return new BackupFailed(`${doing}: ${errorMessage(error)}`, { cause: error });
}
