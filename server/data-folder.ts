/** The folder DATA_DIR: checked before anything is kept in it, never created by accident. */
import { mkdir, mkdtemp, mkdtempDisposable, rmdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError } from "./config-parsers.ts";

/** Makes sure that the folder exists and can be written to. Throws `ConfigError`. */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  try {
    // Other users may pass through: PostgreSQL does not run as root, and its folder lies inside.
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    // Permission bits do not tell: root is above them, and a file system may be read-only or full.
    await rmdir(await mkdtemp(join(dataDir, ".write-test-")));
  } catch (error) {
    const reason = (error as Error).message;
    throw new ConfigError(`DATA_DIR: expected a folder that can be written to, got ${reason}`, {
      cause: error,
    });
  }
}

/**
 * The folder for what can be made again. A process that merely uses an installation creates no data
 * folder: where there is none, it gets a temporary one, which is removed when it is disposed of.
 */
export async function openCacheFolder(
  dataDir: string,
): Promise<{ readonly path: string } & AsyncDisposable> {
  if (await stat(dataDir).catch(() => null)) {
    const nothingToRemove = () => Promise.resolve();
    return { path: join(dataDir, "cache"), [Symbol.asyncDispose]: nothingToRemove };
  }
  return mkdtempDisposable(join(tmpdir(), "orbifold-"));
}
