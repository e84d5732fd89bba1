/**
 * The spawner: a small process that starts codec processes for its parent and passes messages on. To
 * start a process, Linux copies the page tables of the one that asks: with 2.5 GB of memory that stops
 * an event loop for 150 to 250 ms, here it takes 4.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, unlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CodecReply, SpawnerEvent, SpawnerRequest } from "./protocol.ts";

const SCRIPT = fileURLToPath(new URL("./codec-process.ts", import.meta.url));

const children = new Map<number, ChildProcess>();

// Codec processes end with their channel.
process.on("disconnect", () => process.exit());
// A terminal and a supervisor signal all processes of a service; its parent decides when this one ends.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);

process.on("message", (request: SpawnerRequest) => {
  const { id } = request;
  switch (request.kind) {
    case "start":
      start(id, request.path, request.memoryBytes);
      return;
    case "send":
      // Where it has ended, its exit is under way.
      children.get(id)?.send(request.message, () => undefined);
      return;
    case "kill":
      children.get(id)?.kill("SIGKILL");
      return;
  }
});

const tell = (event: SpawnerEvent) => process.send?.(event);

function start(id: number, path: string, memoryBytes: number): void {
  const exited = (code: number | null, signal: NodeJS.Signals | null) => {
    children.delete(id);
    tell({ kind: "exit", id, code, signal });
  };
  let child: ChildProcess;
  try {
    child = spawnCodec(path, memoryBytes);
  } catch {
    exited(null, null);
    return;
  }
  children.set(id, child);
  child.on("message", (reply: CodecReply) => tell({ kind: "reply", id, reply }));
  child.once("exit", exited);
  // The process could not be started; otherwise its exit follows.
  child.once("error", () => child.pid === undefined && exited(null, null));
}

/** Starts a codec process, with limits that the shell sets; macOS does not enforce the one on memory. */
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
