/**
 * Copies the embedded database while it is used, by PostgreSQL's low-level API of base backups:
 * https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type pg from "pg";
import { openSession } from "../connection/pool.ts";
import {
  asFailure,
  BackupFailed,
  type CopiedFile,
  copyFile,
  FOLDER_MODE,
  isTaken,
  MANIFEST,
  type Manifest,
  summaryOf,
  syncFolder,
  writeNewFile,
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

/** Rewritten at any time, in place. */
const CONTROL_FILE = "global/pg_control";

/**
 * Copies the embedded database of a data folder, which may be in use, with its password. The copy is
 * complete, or absent. Throws `BackupFailed`, `DatabaseUnavailable`, `NoDatabase`, and the signal's reason.
 */
export async function backUp(options: BackupOptions) {
  const { dataDir, to, signal } = options;
  const embeddedOptions = { ...options, mayCreate: false };
  const cluster = await openCluster(embeddedOptions);
  const making = `${to}.new-${randomBytes(4).toString("hex")}`;
  try {
    if (await isTaken(to)) throw new BackupFailed(`${to} exists already: a backup is a new folder`);
    await mkdir(making, { recursive: true, mode: FOLDER_MODE });
    const embedded = await openEmbedded(embeddedOptions);
    try {
      const session = await openSession(embedded.url);
      try {
        const manifest = await copyCluster(session, cluster.folder, making, signal);
        const password = await copyFile(passwordFileIn(dataDir), join(making, "password"), signal);
        const whole = { ...manifest, files: { ...manifest.files, password } };
        const text = `${JSON.stringify(whole, null, 1)}\n`;
        await writeNewFile(join(making, MANIFEST), Buffer.from(text));
        for (const path of [...manifest.folders, ""]) await syncFolder(join(making, path));
        await rename(making, to);
        await syncFolder(dirname(to));
        return summaryOf(whole);
      } finally {
        // Ends an unfinished backup on the server, too.
        await session.end();
      }
    } finally {
      await embedded.release();
    }
  } catch (error) {
    await rm(making, { recursive: true, force: true }).catch(() => undefined);
    throw asFailure(`cannot back up to ${to}`, error, signal);
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
  const [{ version, segment: first }] = begun.rows;
  const made = new Date().toISOString();

  const files: Record<string, CopiedFile> = {};
  const place = (path: string) => join(to, "cluster", path);
  const copy = async (path: string) => {
    files[`cluster/${path}`] = await copyFile(join(folder, path), place(path), signal);
  };
  const { folders, paths } = await listCluster(folder);
  for (const path of folders) await mkdir(join(to, path), { mode: FOLDER_MODE });
  for (const path of paths) {
    await copy(path).catch((error: NodeJS.ErrnoException) => {
      // A table that was dropped meanwhile; if the copy needs the file, the log makes it again.
      if (error.code !== "ENOENT" || error.path !== join(folder, path)) throw error;
    });
  }
  const control = await readTwice(join(folder, CONTROL_FILE));
  files[`cluster/${CONTROL_FILE}`] = await writeNewFile(place(CONTROL_FILE), control);

  const ended = await session.query(`
    select labelfile, pg_walfile_name(lsn) as segment from pg_backup_stop(wait_for_archive => false)`);
  const [{ labelfile, segment: last }] = ended.rows;
  for (const name of (await readdir(join(folder, "pg_wal"))).toSorted()) {
    if (name.length === first.length && name >= first && name <= last) await copy(`pg_wal/${name}`);
  }
  // Names where recovery begins.
  const label = await writeNewFile(place("backup_label"), Buffer.from(labelfile));
  files["cluster/backup_label"] = label;
  return { made, postgresql: version, folders, files };
}

/** Reads a short file until two readings agree, as one may be in the middle of a write. */
async function readTwice(path: string): Promise<Buffer> {
  let before = await readFile(path);
  for (;;) {
    const now = await readFile(path);
    if (now.equals(before)) return now;
    before = now;
  }
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
