/** The files of a backup of the embedded database, and the manifest that lists them. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";

/** A backup cannot be made or restored; the message is meant for the operator. */
export class BackupFailed extends Error {
  override readonly name = "BackupFailed";
  readonly code = "backup_failed";
}

/** Only the operator may read a backup: it has all secrets. */
export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** The manifest's name in a backup's folder; it is written last. */
export const MANIFEST = "manifest.json";

export interface CopiedFile {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

export interface Manifest {
  /** ISO 8601, UTC. What was committed before is in the backup. */
  readonly made: string;
  /** Major version. */
  readonly postgresql: number;
  /** Relative paths, outer ones first. Some are empty and have to exist. */
  readonly folders: readonly string[];
  /** By relative path. */
  readonly files: Readonly<Record<string, CopiedFile>>;
}

/** What is said of a backup. */
export function summaryOf({ made, files }: Manifest) {
  const sizes = Object.values(files).map(({ bytes }) => bytes);
  return { made, files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Copies a file, which may not exist yet, to the disk. Resolves with what was copied. */
export async function copyFile(from: string, to: string): Promise<CopiedFile> {
  const hash = createHash("sha256");
  let bytes = 0;
  await pipeline(
    createReadStream(from, { highWaterMark: 1 << 20 }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(to, { flags: "wx", mode: FILE_MODE, flush: true }),
  );
  return { bytes, sha256: hash.digest("hex") };
}
