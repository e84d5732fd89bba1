/** The system's own PostgreSQL, as Debian installs it, in a temporary folder. */
import { execFile } from "node:child_process";
import { chown, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Test } from "tap";
import { freePort } from "../../db/embedded/postmaster.ts";
import { chooseRunAs } from "../../db/embedded/run-as.ts";

const run = promisify(execFile);
const INSTALLED = "/usr/lib/postgresql";

/** The folder of the newest installed version's programs, or null. */
export async function findInstalled(): Promise<string | null> {
  const versions = await readdir(INSTALLED).catch(() => []);
  const newest = versions.map(Number).toSorted((a, b) => b - a)[0];
  return newest ? join(INSTALLED, String(newest), "bin") : null;
}

/** Starts the server until the test ends; returns the connection string of its first database. */
export async function startExternalServer(t: Test, bin: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "orbifold-outside-"));
  const { user } = await chooseRunAs(null);
  if ("uid" in user) await chown(folder, user.uid, user.gid);
  const options = { ...user, cwd: "/", env: {} };
  const flags = [`--pgdata=${folder}`, "--username=tester", "--auth=trust", "--encoding=UTF8"];
  await run(join(bin, "initdb"), [...flags, "--locale=C", "--no-sync"], options);
  const port = await freePort();
  const settings = `-p ${port} -c fsync=off -c listen_addresses=127.0.0.1 -c unix_socket_directories=`;
  const log = join(folder, "log");
  await run(join(bin, "pg_ctl"), ["-D", folder, "-l", log, "-o", settings, "-w", "start"], options);
  t.teardown(async () => {
    await run(join(bin, "pg_ctl"), ["-D", folder, "-m", "fast", "-w", "stop"], options);
    await rm(folder, { recursive: true, force: true });
  });
  return `postgresql://tester@127.0.0.1:${port}/postgres`;
}
