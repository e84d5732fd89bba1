/** The folder of the embedded database, created by the first process and found by the others. */
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
import { DatabaseUnavailable, errorMessage } from "../connection/pool.ts";
import { chooseRunAs, isRoot, type RunAs } from "./run-as.ts";

/** There is no embedded database, and none may be created. */
class NoDatabase extends Error {
  override readonly name = "NoDatabase";
  readonly code = "misconfigured";
  constructor(dataDir: string) {
    super(
      `there is no database in ${dataDir}: set DATA_DIR to the folder of an installation, or DATABASE_URL (orbifold serve creates a new one)`,
    );
  }
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  /** Whether a database is created where there is none. Default: true. */
  readonly mayCreate?: boolean;
  /** Progress and warnings for people, one line each. */
  readonly log?: (line: string) => void;
}

export const SUPERUSER = "orbifold";

export interface Cluster {
  /** PostgreSQL's own folder, mode 0700, of the user it runs as. */
  readonly folder: string;
  /** The file of its server's output. */
  readonly log: string;
  readonly password: string;
  readonly runAs: RunAs;
}

/**
 * The path by which a program that runs as another user opens a file or folder that it inherits as
 * descriptor `number`. On Linux that needs no permission on the folders above, so that the database may
 * lie in root's home.
 */
export function pathFor(path: string, number: number): string {
  return isRoot() && process.platform === "linux" ? `/proc/self/fd/${number}` : path;
}

/** Others may enter, since the folder inside belongs to another user than the home. */
export const HOME_MODE = 0o711;

/** The embedded database's folder in a data folder. */
export const homeIn = (dataDir: string) => join(dataDir, "postgres");

export const passwordFileIn = (dataDir: string) => parts(homeIn(dataDir)).password;

const parts = (home: string) => ({
  folder: join(home, "cluster"),
  password: join(home, "password"),
  log: join(home, "log"),
});

/** Fills an empty home. The password is passed in a file: every user can read arguments. */
async function initialise(home: string, { user, bin }: RunAs): Promise<void> {
  const { folder, password } = parts(home);
  await mkdir(home, { recursive: true, mode: HOME_MODE });
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
      // Unicode without a locale of the system.
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

/** Creates the database in a temporary folder and renames it: it is complete or absent. */
async function make(home: string, runAs: RunAs): Promise<void> {
  const making = `${home}.new-${randomBytes(4).toString("hex")}`;
  try {
    await initialise(making, runAs);
    await rename(making, home);
  } catch (error) {
    await rm(making, { recursive: true, force: true }).catch(() => undefined);
    // Another process was faster, and may have deleted this one's temporary folder.
    if (await stat(home).catch(() => null)) return;
    throw new DatabaseUnavailable(`cannot create a database in ${home}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

/** Deletes the temporary folders of processes that were killed while they created the database. */
async function sweep(dataDir: string): Promise<void> {
  const leftovers = (await readdir(dataDir)).filter((name) => name.startsWith("postgres.new-"));
  for (const name of leftovers) {
    // One that is being written may resist; the next start deletes it.
    await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/**
 * The database's folder in `dataDir`, created if it is missing. Throws `DatabaseUnavailable`, and
 * `NoDatabase` where it is missing and may not be created.
 */
export async function openCluster({
  dataDir,
  mayCreate = true,
  log,
}: EmbeddedOptions): Promise<Cluster> {
  const home = homeIn(dataDir);
  const { folder, log: logFile, password } = parts(home);
  const made = () => stat(folder).catch(() => null);
  if (!(await made())) {
    if (!mayCreate) throw new NoDatabase(dataDir);
    log?.(`database: creating the database in ${home}`);
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
