/** The folder of the embedded database: made once, found by everyone who comes later. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chown,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { DatabaseUnavailable, reason } from "../connection/pool.ts";
import type { DatabaseOptions } from "../types/index.ts";
import { chooseRunAs, isRoot, type RunAs } from "./run-as.ts";

/** There is no embedded database, and what is to be done is no reason to create one. */
class NoDatabase extends Error {
  override readonly name = "NoDatabase";
  constructor(dataDir: string) {
    super(
      `there is no database in ${dataDir}: set DATA_DIR to the folder of an installation, or DATABASE_URL (orbifold serve creates a new one)`,
    );
  }
}

export const SUPERUSER = "orbifold";

export interface Cluster {
  /** PostgreSQL's own folder, mode 0700, of the user it runs as. */
  readonly folder: string;
  /** What its server prints. */
  readonly log: string;
  readonly password: string;
  readonly runAs: RunAs;
}

/**
 * How a program that runs as somebody else names a file or folder that was opened for it as its
 * descriptor `number`. On Linux that needs no permission on the folders above, so that the database
 * may lie under root's own folder.
 */
export function pathFor(path: string, number: number): string {
  return isRoot() && process.platform === "linux" ? `/proc/self/fd/${number}` : path;
}

const parts = (home: string) => ({
  folder: join(home, "cluster"),
  password: join(home, "password"),
  log: join(home, "log"),
});

/** Fills an empty home. The password goes in by a file: arguments can be read by everyone. */
async function initialise(home: string, { user, bin }: RunAs): Promise<void> {
  const { folder, password } = parts(home);
  // Others may pass through, since the folder inside belongs to another user than the home.
  await mkdir(home, { recursive: true, mode: 0o711 });
  await mkdir(folder, { mode: 0o700 });
  await writeFile(password, `${randomBytes(24).toString("hex")}\n`, { mode: 0o600 });
  if ("uid" in user) {
    await Promise.all([folder, password].map((path) => chown(path, user.uid, user.gid)));
  }
  await using folderHandle = await open(folder);
  await using passwordHandle = await open(password);
  const child = spawn(
    join(bin, "initdb"),
    [
      `--pgdata=${pathFor(folder, 3)}`,
      `--pwfile=${pathFor(password, 4)}`,
      `--username=${SUPERUSER}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      // Unicode without a locale of the system's.
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--data-checksums",
      "--no-instructions",
    ],
    {
      ...user,
      cwd: "/",
      env: {},
      stdio: ["ignore", "ignore", "pipe", folderHandle.fd, passwordHandle.fd],
    },
  );
  const exit = once(child, "exit");
  const output = child.stderr ? await text(child.stderr) : "";
  const [code] = await exit;
  if (code !== 0) throw new Error(output.trim().split("\n").at(-1) || "initdb was ended");
}

/** Makes the database beside its place and moves it there: it is whole or not there. */
async function make(home: string, runAs: RunAs): Promise<void> {
  const making = `${home}.new-${randomBytes(4).toString("hex")}`;
  try {
    await initialise(making, runAs);
    await rename(making, home);
  } catch (error) {
    await rm(making, { recursive: true, force: true }).catch(() => undefined);
    // Another process was faster, and may have swept this one's half away.
    if (await stat(home).catch(() => null)) return;
    throw new DatabaseUnavailable(`cannot make a database in ${home}: ${reason(error)}`, {
      cause: error,
    });
  }
}

/** Removes what processes left behind that were killed while they made the database. */
async function sweep(dataDir: string): Promise<void> {
  const leftovers = (await readdir(dataDir)).filter((name) => name.startsWith("postgres.new-"));
  for (const name of leftovers) {
    // One that is still being written resists; it goes next time.
    await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/**
 * The database's folder in `dataDir`, created if it is not there. Throws `DatabaseUnavailable`, and
 * `NoDatabase` where it is not there and may not be created.
 */
export async function openCluster({
  dataDir,
  mayCreate = true,
  log,
}: Omit<DatabaseOptions, "url">): Promise<Cluster> {
  const home = join(dataDir, "postgres");
  const { folder, log: logFile, password } = parts(home);
  const made = () => stat(folder).catch(() => null);
  if (!(await made())) {
    if (!mayCreate) throw new NoDatabase(dataDir);
    log?.(`database: making one in ${home}`);
    await make(home, await chooseRunAs(null));
  }
  const owner = await made();
  try {
    await sweep(dataDir);
    return {
      folder,
      log: logFile,
      password: (await readFile(password, "utf8")).trim(),
      runAs: await chooseRunAs(owner && { uid: owner.uid, gid: owner.gid }),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    throw new DatabaseUnavailable(
      `the database in ${home} belongs to another user${owner ? ` (number ${owner.uid})` : ""}: run orbifold as that user or as root`,
      { cause: error },
    );
  }
}
