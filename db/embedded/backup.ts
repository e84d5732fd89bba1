/**
 * Copies the embedded database while it is used, by PostgreSQL's low-level API of base backups:
 * https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type pg from "pg";
import { openSession } from "../connection/pool.ts";
import {
  BackupFailed,
  type CopiedFile,
  copyFile,
  FILE_MODE,
  FOLDER_MODE,
  MANIFEST,
  type Manifest,
  summaryOf,
} from "./backup-files.ts";
import { type EmbeddedOptions, openCluster, passwordFileIn } from "./cluster.ts";
import { openEmbedded } from "./index.ts";

export interface BackupOptions extends Pick<EmbeddedOptions, "dataDir" | "log"> {
  /** The folder that is created. */
  readonly to: string;
  readonly signal: AbortSignal;
}

/** Folders whose contents belong to a running server, or are copied last. */
const LEFT_EMPTY = new Set([
  "pg_dynshmem",
  "pg_notify",
  "pg_replslot",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
  "pg_wal",
]);

/** Files of a running server, and what it makes again. */
const LEFT_OUT = /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*)$/;

/** Names where recovery begins; copied after all that changes. */
const CONTROL_FILE = "global/pg_control";

/**
 * Copies the embedded database of a data folder, which may be in use, with its password. The copy is
 * complete, or absent. Throws `BackupFailed`, `DatabaseUnavailable`, `NoDatabase`, and the signal's reason.
 */
export async function backUp({ dataDir, to, log, signal }: BackupOptions) {
  if (await stat(to).catch(() => null)) {
    throw new BackupFailed(`${to} exists already: a backup is a new folder`);
  }
  const cluster = await openCluster({ dataDir, mayCreate: false, ...(log && { log }) });
  const embedded = await openEmbedded({ dataDir, mayCreate: false, ...(log && { log }) });
  const making = `${to}.new-${randomBytes(4).toString("hex")}`;
  try {
    await mkdir(making, { recursive: true, mode: FOLDER_MODE });
    const session = await openSession(embedded.url);
    try {
      const manifest = await copyCluster(session, cluster.folder, making, signal);
      const password = await copyFile(passwordFileIn(dataDir), join(making, "password"));
      const whole = { ...manifest, files: { ...manifest.files, password } };
      await writeFile(join(making, MANIFEST), `${JSON.stringify(whole, null, 1)}\n`, {
        mode: FILE_MODE,
        flush: true,
      });
      await rename(making, to);
      return summaryOf(whole);
    } finally {
      // Ends an unfinished backup on the server, too.
      await session.end();
    }
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    throw error;
  } finally {
    await embedded.release();
  }
}

async function copyCluster(
  session: pg.Client,
  folder: string,
  to: string,
  signal: AbortSignal,
): Promise<Manifest> {
  // Keeps the log that the copy needs, until the session ends.
  const slot = `backup_${randomBytes(8).toString("hex")}`;
  await session.query("select pg_create_physical_replication_slot($1, true, true)", [slot]);
  const begun = await session.query(`
    select current_setting('server_version_num')::integer / 10000 as version,
      pg_walfile_name(pg_backup_start('orbifold', fast => true)) as segment`);
  const made = new Date();

  const files: Record<string, CopiedFile> = {};
  const copy = async (path: string) => {
    signal.throwIfAborted();
    files[`cluster/${path}`] = await copyFile(join(folder, path), join(to, "cluster", path));
  };
  const { folders, paths } = await listCluster(folder);
  for (const path of folders) await mkdir(join(to, path), { mode: FOLDER_MODE });
  for (const path of paths) {
    await copy(path).catch((error: NodeJS.ErrnoException) => {
      // A table that was dropped meanwhile; if the copy needs the file, the log makes it again.
      if (error.code !== "ENOENT") throw error;
    });
  }
  await copy(CONTROL_FILE);

  const { rows } = await session.query(`
    select labelfile, pg_walfile_name(lsn) as segment from pg_backup_stop(wait_for_archive => false)`);
  const [{ labelfile, segment: last }] = rows;
  const first = begun.rows[0].segment;
  for (const name of (await readdir(join(folder, "pg_wal"))).toSorted()) {
    if (name.length === first.length && name >= first && name <= last) await copy(`pg_wal/${name}`);
  }
  const label = join(to, "label");
  await writeFile(label, labelfile, { mode: FILE_MODE });
  files["cluster/backup_label"] = await copyFile(label, join(to, "cluster/backup_label"));
  await rm(label);
  return { made: made.toISOString(), postgresql: begun.rows[0].version, folders, files };
}

/** The folders of a backup, outer ones first, and the files of a cluster that are copied while it changes. */
async function listCluster(folder: string) {
  const folders = ["cluster"];
  const paths: string[] = [];
  const list = async (path: string): Promise<void> => {
    for (const entry of await readdir(join(folder, path), { withFileTypes: true })) {
      const inner = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) {
        if (LEFT_OUT.test(entry.name)) continue;
        folders.push(`cluster/${inner}`);
        if (!LEFT_EMPTY.has(inner)) await list(inner);
      } else if (!entry.isFile()) {
        throw new BackupFailed(`${join(folder, inner)} is neither a file nor a folder`);
      } else if (!LEFT_OUT.test(basename(inner)) && inner !== CONTROL_FILE) {
        paths.push(inner);
      }
    }
  };
  await list("");
  return { folders, paths };
}
