/** Proxies with the sample configurations of the documentation, in front of several processes. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Test } from "tap";
import { freePort } from "../../db/embedded/postmaster.ts";
import { temporaryFolder } from "./database.ts";

interface Proxy {
  /** Path of the sample in docs/examples. */
  readonly sample: string;
  /** Arguments that print its version. */
  readonly version: readonly string[];
  /** Milliseconds within which it notices that a process has started. */
  readonly noticesWithin: number;
  /** Part of the sample that says where the processes listen. */
  upstreams(ports: readonly number[]): string;
  /** Part of the sample that says where it listens, and what replaces it for a port. */
  readonly listens: string;
  listensOn(port: number): string;
  /** Its configuration, from the sample and a folder for its files. */
  configuration(sample: string, folder: string): string;
  /** Arguments that start it. */
  arguments(folder: string, file: string): readonly string[];
}

const proxies = {
  nginx: {
    sample: "nginx/orbifold.conf",
    version: ["-v"],
    // It tries to connect to both.
    noticesWithin: 0,
    upstreams: (ports) => ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join("\n  "),
    listens: "listen 80",
    listensOn: (port) => `listen 127.0.0.1:${port}`,
    configuration(sample, folder) {
      const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
      const temporary = paths.map((path) => `${path}_temp_path ${join(folder, path)};`).join("\n");
      return `
        ${process.getuid?.() === 0 ? "user root;" : ""}
        daemon off;
        worker_processes 1;
        pid ${join(folder, "pid")};
        error_log stderr crit;
        events { worker_connections 256; }
        http { access_log off; ${temporary} ${sample} }`;
    },
    arguments: (folder, file) => ["-p", folder, "-c", file],
  },
  caddy: {
    sample: "caddy/Caddyfile",
    version: ["version"],
    noticesWithin: 2000,
    upstreams: (ports) => ports.map((port) => `127.0.0.1:${port}`).join(" "),
    listens: "patterns.example.com",
    listensOn: (port) => `http://127.0.0.1:${port}`,
    configuration: (sample) => `{
      admin off
      auto_https off
      log {
        level PANIC
      }
    }
    ${sample}`,
    arguments: (_, file) => ["run", "--adapter", "caddyfile", "--config", file],
  },
} satisfies Record<string, Proxy>;

export type ProxyName = keyof typeof proxies;

export const PROXIES = Object.keys(proxies) as ProxyName[];

/** Debian installs nginx where only root looks for programs. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

/** A proxy's version; null if it is missing. */
export async function findProxy(name: ProxyName): Promise<string | null> {
  const run = promisify(execFile)(name, proxies[name].version, { env });
  const found = await run.catch(() => null);
  return found && `${name} ${/\d+(\.\d+)+/.exec(`${found.stdout}${found.stderr}`)?.[0]}`;
}

/**
 * Starts a proxy in front of processes on these ports until the test ends. Resolves with its URL, and
 * the milliseconds within which it notices that a process has started.
 */
export async function startProxy(t: Test, name: ProxyName, ports: readonly number[]) {
  const proxy: Proxy = proxies[name];
  const folder = await temporaryFolder(t);
  const port = await freePort();
  const sample = await readFile(
    new URL(`../../docs/examples/${proxy.sample}`, import.meta.url),
    "utf8",
  );
  const changes = [
    // Of the two in the sample.
    [proxy.upstreams([3001, 3002]), proxy.upstreams(ports)],
    [proxy.listens, proxy.listensOn(port)],
  ] as const;
  const changed = changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${proxy.sample} has no ${from}`);
    return text.replace(from, to);
  }, sample);
  const file = join(folder, "configuration");
  await writeFile(file, proxy.configuration(changed, folder));
  const child = spawn(name, proxy.arguments(folder, file), {
    env: { ...env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  t.teardown(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const isThere = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isThere) return { url: `http://127.0.0.1:${port}`, noticesWithin: proxy.noticesWithin };
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
    await delay(20);
  }
}
