/** nginx with the sample configuration of the documentation. */
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

const SAMPLE = new URL("../../docs/examples/nginx/orbifold.conf", import.meta.url);

/** Debian installs it where only root looks for programs. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

/** nginx's version; null if it is missing. */
export async function findNginx(): Promise<string | null> {
  const found = await promisify(execFile)("nginx", ["-v"], { env }).catch(() => null);
  return found?.stderr.trim().replace("nginx version: ", "") ?? null;
}

/** Starts it in front of processes on two ports until the test ends. Resolves with its URL. */
export async function startNginx(t: Test, ports: readonly [number, number]): Promise<string> {
  const folder = await temporaryFolder(t);
  const port = await freePort(0);
  const sample = (await readFile(SAMPLE, "utf8"))
    .replace("127.0.0.1:3001", `127.0.0.1:${ports[0]}`)
    .replace("127.0.0.1:3002", `127.0.0.1:${ports[1]}`)
    .replace("listen 80", `listen 127.0.0.1:${port}`);
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const temporary = paths.map((path) => `${path}_temp_path ${join(folder, path)};`).join("\n");
  const main = `
    ${process.getuid?.() === 0 ? "user root;" : ""}
    daemon off;
    worker_processes 1;
    pid ${join(folder, "pid")};
    error_log stderr crit;
    events { worker_connections 256; }
    http { access_log off; ${temporary} ${sample} }`;
  await writeFile(join(folder, "nginx.conf"), main);
  const nginx = spawn("nginx", ["-p", folder, "-c", "nginx.conf"], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(nginx, "exit");
  t.teardown(async () => {
    nginx.kill("SIGTERM");
    await ended;
  });
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const isThere = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isThere) return `http://127.0.0.1:${port}`;
    if (nginx.exitCode !== null) throw new Error(`nginx ended with ${nginx.exitCode}`);
    await delay(20);
  }
}
