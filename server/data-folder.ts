/** The folder DATA_DIR: verified before use, never created by accident. */
import { mkdir, mkdtemp, mkdtempDisposable, rmdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError } from "./config-parsers.ts";

/** Ensures that the folder exists and is writable. Throws `ConfigError`. */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  try {
    // Other users may traverse it: PostgreSQL does not run as root, and its folder is inside.
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    // Permission bits are not enough: root bypasses them, and a file system may be read-only or
    // full.
    await rmdir(await mkdtemp(join(dataDir, ".write-test-")));
  } catch (error) {
    const reason = (error as Error).message;
    throw new ConfigError(`DATA_DIR: expected a folder that can be written to, got ${reason}`, {
      cause: error,
    });
  }
}

/**
 * Returns the folder for caches. A process that only uses an installation creates no data folder:
 * without one it gets a temporary folder, which is removed on disposal.
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
