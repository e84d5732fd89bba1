/** Makes the embedded database of a data folder from a backup. */
import { randomBytes } from "node:crypto";
import { chown, mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import Type from "typebox";
import { Value } from "typebox/value";
import { reason } from "../connection/pool.ts";
import {
  BackupFailed,
  copyFile,
  FOLDER_MODE,
  MANIFEST,
  type Manifest,
  summaryOf,
} from "./backup-files.ts";
import { type EmbeddedOptions, HOME_MODE, homeIn } from "./cluster.ts";
import { openEmbedded } from "./index.ts";
import { chooseRunAs } from "./run-as.ts";

export interface RestoreOptions extends Pick<EmbeddedOptions, "dataDir" | "log"> {
  /** The backup's folder. */
  readonly from: string;
  readonly signal: AbortSignal;
}

/** Names between slashes; none begins with a dot, so that all lie inside the backup. */
const RelativePath = Type.String({ pattern: "^[A-Za-z0-9_][\\w.-]*(/[A-Za-z0-9_][\\w.-]*)*$" });

const ManifestFile = Type.Object({
  made: Type.String(),
  postgresql: Type.Integer(),
  folders: Type.Array(RelativePath),
  files: Type.Record(
    RelativePath,
    Type.Object({ bytes: Type.Integer(), sha256: Type.String() }, { additionalProperties: false }),
    { additionalProperties: false },
  ),
});

/**
 * Copies a backup into a data folder that has no database, and starts the copy once, which makes it
 * consistent. The database is complete afterwards, or absent. Throws `BackupFailed`,
 * `DatabaseUnavailable`, and the signal's reason.
 */
export async function restore({ dataDir, from, log, signal }: RestoreOptions) {
  const manifest = await readManifest(from);
  const home = homeIn(dataDir);
  if (await stat(home).catch(() => null)) {
    throw new BackupFailed(
      `there is a database in ${dataDir} already: set DATA_DIR to another folder, or move ${home} away`,
    );
  }
  const making = `${home}.new-${randomBytes(4).toString("hex")}`;
  try {
    await copyVerified(manifest, from, making, signal);
    await rename(making, home);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    throw error;
  }
  try {
    const embedded = await openEmbedded({ dataDir, mayCreate: false, ...(log && { log }) });
    await embedded.release();
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    throw new BackupFailed(`the database in ${from} does not start: ${reason(error)}`, {
      cause: error,
    });
  }
  return summaryOf(manifest);
}

async function readManifest(from: string): Promise<Manifest> {
  const path = join(from, MANIFEST);
  const content = await readFile(path, "utf8").catch((error) => {
    throw new BackupFailed(`there is no backup in ${from}: ${reason(error)}`, { cause: error });
  });
  try {
    return Value.Parse(ManifestFile, JSON.parse(content));
  } catch (error) {
    throw new BackupFailed(`${path} is damaged: ${reason(error)}`, { cause: error });
  }
}

/** Copies the files of a backup to a new folder, as the user that PostgreSQL runs as. */
async function copyVerified(
  { folders, files }: Manifest,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  const { user } = await chooseRunAs(null);
  const give = async (path: string) => {
    if ("uid" in user) await chown(path, user.uid, user.gid);
  };
  await mkdir(to, { mode: HOME_MODE });
  for (const folder of folders) {
    await mkdir(join(to, folder), { mode: FOLDER_MODE });
    await give(join(to, folder));
  }
  for (const [path, { bytes, sha256 }] of Object.entries(files)) {
    signal.throwIfAborted();
    const copied = await copyFile(join(from, path), join(to, path)).catch((error) => {
      throw new BackupFailed(`cannot copy a file of the backup: ${reason(error)}`, {
        cause: error,
      });
    });
    if (copied.bytes !== bytes || copied.sha256 !== sha256) {
      throw new BackupFailed(
        `${join(from, path)} is damaged: it has other bytes than were backed up`,
      );
    }
    await give(join(to, path));
  }
}
