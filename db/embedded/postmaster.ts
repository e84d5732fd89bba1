/** The embedded database's server process: found by its pid file, started, stopped. */
import { execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { type Cluster, pathFor } from "./cluster.ts";

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly isReady: boolean;
}

/** After that it is stopped at once, which for the data is a crash; the next start recovers. */
const STOP_PATIENCE_MS = 30_000;

/**
 * An argument that only this cluster's server has. The folder's inode number stays when the folder is
 * moved.
 */
async function marker(cluster: Cluster): Promise<string> {
  const { ino } = await stat(cluster.folder, { bigint: true });
  return `cluster_name=orbifold-${ino.toString(36)}`;
}

/** The command line of a living process, with spaces between its arguments; empty when there is none. */
async function commandLine(pid: number): Promise<string> {
  if (process.platform === "linux") {
    const words = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    return words.replaceAll("\0", " ");
  }
  const ps = await promisify(execFile)("ps", ["-o", "args=", "-p", `${pid}`]).catch(() => null);
  return ps?.stdout ?? "";
}

async function isAlive(cluster: Cluster, pid: number): Promise<boolean> {
  return (await commandLine(pid)).includes(await marker(cluster));
}

/** The running server, whoever started it, or null. */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | null> {
  const file = join(cluster.folder, "postmaster.pid");
  const read = () => readFile(file, "utf8").catch(() => "");
  const content = await read();
  // https://www.postgresql.org/docs/18/storage-file-layout.html: pid, folder, start, port, …, status
  const [line = "", , , port, , , , status] = content.split("\n");
  const pid = Number(line);
  if (!(pid > 0)) return null;
  const command = await commandLine(pid);
  if (command.includes(await marker(cluster))) {
    return { pid, port: Number(port), isReady: status?.trim() === "ready" };
  }
  // PostgreSQL deletes the file of a dead server itself, but after a crash of the machine the pid may
  // belong to another program, which it cannot tell from a server.
  const isReused = command !== "" && !command.includes("postgres");
  if (isReused && (await read()) === content) await rm(file, { force: true });
  return null;
}

/**
 * Ports that systems do not give to outgoing connections: while a server restarts, a client that looks for it, or any
 * other, could take its port.
 */
const PORTS = [10_000, 32_767] as const;

const TRIES = 100;

/** Returns a free port. */
export async function freePort(): Promise<number> {
  for (let tries = 0; ; tries++) {
    const wanted = tries < TRIES ? randomInt(...PORTS) : 0;
    const server = createServer().listen(wanted, "127.0.0.1");
    try {
      await once(server, "listening");
      return (server.address() as AddressInfo).port;
    } catch (error) {
      if (wanted === 0) throw error;
    } finally {
      if (server.listening) await once(server.close(), "close");
    }
  }
}

/**
 * Starts the server in a session of its own, so that neither Ctrl-C nor this process's death ends it,
 * and waits. Returns null once it is ready, and its error message when it exits.
 * @param port default: a free one
 */
export async function startPostmaster(cluster: Cluster, port?: number): Promise<string | null> {
  await rename(cluster.log, `${cluster.log}.1`).catch(() => undefined);
  await using log = await open(cluster.log, "a+", 0o600);
  await using folder = await open(cluster.folder);
  const settings = {
    port: port ?? (await freePort()),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    timezone: "UTC",
    log_timezone: "UTC",
    log_checkpoints: "off",
  };
  const child = spawn(
    join(cluster.runAs.bin, "postgres"),
    [
      `-D${pathFor(cluster.folder, 3)}`,
      ...Object.entries(settings).map(([name, value]) => `-c${name}=${value}`),
      `-c${await marker(cluster)}`,
    ],
    {
      ...cluster.runAs.user,
      cwd: "/",
      env: {},
      detached: true,
      stdio: ["ignore", log.fd, log.fd, folder.fd],
    },
  );
  child.unref();
  await once(child, "spawn");
  while (child.exitCode === null && child.signalCode === null) {
    const found = await findPostmaster(cluster);
    if (found?.isReady) return null;
    await delay(10);
  }
  // From the open file: another process that starts a server has renamed the path.
  const { size } = await log.stat();
  const { buffer } = await log.read(Buffer.alloc(size), 0, size, 0);
  const printed = buffer.toString();
  // The last fatal line is the cause.
  return [...printed.matchAll(/(?:FATAL|PANIC): +(.+)/g)].at(-1)?.[1] ?? printed.trim();
}

/** Stops the server after rolling back what is open in it; waits until it is gone. */
export async function stopPostmaster(cluster: Cluster, { pid }: Postmaster): Promise<void> {
  const kill = (signal: NodeJS.Signals) => {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended already.
    }
  };
  const deadline = Date.now() + STOP_PATIENCE_MS;
  kill("SIGINT");
  while (await isAlive(cluster, pid)) {
    if (Date.now() > deadline) kill("SIGQUIT");
    await delay(10);
  }
}
