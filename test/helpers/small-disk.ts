/** A small disk: a tmpfs of a few MiB. */
import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Test } from "tap";

const run = promisify(execFile);

/**
 * Mounts a disk of that many MiB until the test ends. Resolves with its folder, writable by
 * everyone; with null, after skipping the test, if this user may not mount.
 */
export async function smallDisk(t: Test, mebibytes: number): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), "orbifold-disk-"));
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m`, "orbifold-test", folder]);
  } catch (error) {
    await rm(folder, { recursive: true });
    t.pass(`skipped: a tmpfs cannot be mounted: ${(error as Error).message}`, { skip: true });
    return null;
  }
  t.teardown(async () => {
    await run("umount", ["-l", folder]);
    await rm(folder, { recursive: true });
  });
  await chmod(folder, 0o777);
  return folder;
}
