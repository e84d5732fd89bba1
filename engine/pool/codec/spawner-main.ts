/**
 * The spawner: a small process that starts codec processes for its parent and passes messages on. To
 * fork, Linux copies the page tables of the parent: with 2.5 GB of memory that blocks an event loop
 * for 150 to 250 ms, here for 4.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, unlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CodecReply, SpawnerEvent, SpawnerRequest } from "./protocol.ts";

const SCRIPT = fileURLToPath(new URL("./codec-main.ts", import.meta.url));

const children = new Map<number, ChildProcess>();

// Codec processes end with their channel.
process.on("disconnect", () => process.exit());
// Terminals and supervisors signal all processes of a service; the parent ends this one.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);

process.on("message", (request: SpawnerRequest) => {
  const { id } = request;
  switch (request.kind) {
    case "start":
      start(id, request.path, request.memoryBytes);
      return;
    case "send":
      // If it has ended, its exit event follows.
      children.get(id)?.send(request.message, () => undefined);
      return;
    case "kill":
      children.get(id)?.kill("SIGKILL");
      return;
  }
});

const send = (event: SpawnerEvent) => process.send?.(event);

function start(id: number, path: string, memoryBytes: number): void {
  const exited = (code: number | null, signal: NodeJS.Signals | null) => {
    children.delete(id);
    send({ kind: "exit", id, code, signal });
  };
  let child: ChildProcess;
  try {
    child = spawnCodec(path, memoryBytes);
  } catch {
    exited(null, null);
    return;
  }
  children.set(id, child);
  child.on("message", (reply: CodecReply) => send({ kind: "reply", id, reply }));
  child.once("exit", exited);
  // Without a pid no exit event follows.
  child.once("error", () => child.pid === undefined && exited(null, null));
}

/** Starts a codec process with limits set by the shell; macOS does not enforce the memory limit. */
function spawnCodec(path: string, memoryBytes: number): ChildProcess {
  const kibibytes = Math.floor(memoryBytes / 1024);
  const command = `ulimit -c 0; ulimit -d ${kibibytes}; exec "$@"`;
  const file = openSync(path, "r+");
  try {
    unlinkSync(path);
    return spawn("/bin/sh", ["-c", command, "sh", process.execPath, SCRIPT], {
      stdio: ["ignore", "ignore", "ignore", file, "ipc"],
    });
  } finally {
    closeSync(file);
  }
}
