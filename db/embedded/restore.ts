/** Makes the embedded database of a data folder from a backup. */
import { randomBytes } from "node:crypto";
import { lchown, mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Value } from "typebox/value";
import { errorMessage } from "../connection/pool.ts";
import { skipIds } from "../connection/skip-ids.ts";
import {
  asFailure,
  BackupFailed,
  copyFile,
  FOLDER_MODE,
  isTaken,
  MANIFEST,
  Manifest,
  summaryOf,
  syncFolder,
} from "./backup-files.ts";
import { type EmbeddedOptions, HOME_MODE, homeIn } from "./cluster.ts";
import { openEmbedded } from "./index.ts";
import { findPrograms } from "./programs.ts";
import { chooseRunAs } from "./run-as.ts";

export interface RestoreOptions extends Pick<EmbeddedOptions, "dataDir" | "log"> {
  /** The backup's folder. */
  readonly from: string;
  readonly signal: AbortSignal;
}

/**
 * Copies a backup into a data folder that has no database, and starts the copy once, which makes it
 * consistent. The database is complete afterwards, or absent. Throws `BackupFailed`,
 * `DatabaseUnavailable`, and the signal's reason.
 */
export async function restore({ dataDir, from, log, signal }: RestoreOptions) {
  const home = homeIn(dataDir);
  let making: string | undefined;
  try {
    const manifest = await readManifest(from);
    const refuseUsed = async () => {
      if (!(await isTaken(home))) return;
      throw new BackupFailed(
        `there is a database in ${dataDir} already: set DATA_DIR to another folder, or move ${home} away`,
      );
    };
    await refuseUsed();
    await mkdir(dataDir, { recursive: true, mode: HOME_MODE });
    // A data folder of its own, where no other process finds the database before it is complete.
    making = join(dataDir, `.restoring-${randomBytes(4).toString("hex")}`);
    await mkdir(making, { mode: HOME_MODE });
    await copyVerified(manifest, from, homeIn(making), signal);
    await recover({ dataDir: making, ...(log && { log }) });
    await refuseUsed();
    await rename(homeIn(making), home);
    await syncFolder(dataDir);
    return summaryOf(manifest);
  } catch (error) {
    throw asFailure(`cannot restore ${from}`, error, signal);
  } finally {
    if (making) await rm(making, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function readManifest(from: string): Promise<Manifest> {
  const path = join(from, MANIFEST);
  const content = await readFile(path, "utf8").catch((error) => {
    if (error.code !== "ENOENT") throw error;
    throw new BackupFailed(`there is no backup in ${from}: ${path} is missing`, { cause: error });
  });
  const damaged = (why: string) => new BackupFailed(`${path} is damaged: ${why}`);
  let manifest: unknown;
  try {
    manifest = JSON.parse(content);
  } catch (error) {
    throw damaged(errorMessage(error));
  }
  if (!Value.Check(Manifest, manifest)) {
    const [wrong] = Value.Errors(Manifest, manifest);
    throw damaged(`${wrong?.instancePath} ${wrong?.message}`);
  }
  const { postgresql } = manifest;
  const { major } = await findPrograms();
  if (postgresql !== major) {
    throw new BackupFailed(
      `the backup is of PostgreSQL ${postgresql}, and this release has ${major}: restore it with a release that has ${postgresql}`,
    );
  }
  return manifest;
}

/** Copies the files of a backup to a new folder, and gives them to the user that PostgreSQL runs as. */
async function copyVerified(
  { folders, files }: Manifest,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(to, { mode: HOME_MODE });
  for (const folder of folders) await mkdir(join(to, folder), { mode: FOLDER_MODE });
  for (const [path, { bytes, sha256 }] of Object.entries(files)) {
    const copied = await copyFile(join(from, path), join(to, path), signal);
    if (copied.bytes !== bytes || copied.sha256 !== sha256) {
      throw new BackupFailed(
        `${join(from, path)} is damaged: its bytes are not those of the backup`,
      );
    }
  }
  const { user } = await chooseRunAs(null);
  if (!("uid" in user)) return;
  // From the inside, so that the user gets at nothing while it is written.
  for (const path of [...Object.keys(files), ...folders.toReversed()]) {
    await lchown(join(to, path), user.uid, user.gid);
  }
}

/** Lets PostgreSQL replay the log, and skips ids. */
async function recover(options: Pick<EmbeddedOptions, "dataDir" | "log">): Promise<void> {
  const embedded = await openEmbedded({ ...options, mayCreate: false }).catch((error) => {
    // Without the log that it names, which is deleted.
    const [why] = errorMessage(error).split(" (see ");
    throw new BackupFailed(`the backup cannot be used: ${why}`, { cause: error });
  });
  try {
    await skipIds(embedded.url);
  } finally {
    await embedded.release();
  }
}
