/** Starts and stops the recorders of all threads of several processes, and collects their profiles. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { Profiler } from "node:inspector";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import type { FromRecorder, ToRecorder } from "./recorder.ts";

export interface ThreadProfile {
  /** Such as `server 4711 worker 2`. */
  readonly thread: string;
  readonly profile: Profiler.Profile;
}

export interface Collector {
  /** Environment variables for the processes to profile. */
  readonly env: Readonly<Record<string, string>>;
  /** Resolves once all connected threads record. Threads that come later record from their start. */
  start(): Promise<void>;
  /** Stops recording and returns the profiles of all threads. */
  stop(): Promise<readonly ThreadProfile[]>;
  close(): Promise<void>;
}

/** Processes by their scripts. */
const PROCESSES: Readonly<Record<string, string>> = { "side.ts": "bench", "cli.ts": "server" };

const RECORDER = new URL("recorder.ts", import.meta.url);

export async function openCollector(): Promise<Collector> {
  const folder = await mkdtemp(join(tmpdir(), "orbifold-profile-"));
  const path = join(folder, "socket");
  const threads = new Set<Thread>();
  const scripts = new Map<number, string>();
  let profiles: ThreadProfile[] = [];
  let recording = false;
  const server = createServer((socket) => {
    const thread = new Thread(socket);
    createInterface({ input: socket }).on("line", (line) => {
      const message: FromRecorder = JSON.parse(line);
      if (message.kind === "hello") {
        const { pid, script, thread: id } = message;
        if (script !== null) scripts.set(pid, PROCESSES[basename(script)] ?? basename(script));
        thread.name = () =>
          `${scripts.get(pid) ?? ""} ${pid} ${script === null ? `worker ${id}` : "main"}`.trim();
        threads.add(thread);
        if (recording) void thread.ask("start");
      } else {
        if (message.kind === "profile") {
          profiles.push({ thread: thread.name(), profile: message.profile });
        }
        thread.answered();
      }
    });
    socket.on("close", () => {
      threads.delete(thread);
      thread.answered();
    });
    socket.on("error", () => undefined);
  });
  server.listen(path);
  await once(server, "listening");
  const all = (command: ToRecorder) =>
    Promise.all([...threads].map((thread) => thread.ask(command)));
  const options = [process.env.NODE_OPTIONS, `--import=${RECORDER.href}`].filter(Boolean);
  return {
    env: {
      NODE_OPTIONS: options.join(" "),
      PROFILE_SOCKET: path,
      // Otherwise idle workers block in Atomics.wait and receive nothing.
      PISCINA_DISABLE_ATOMICS: "1",
    },
    async start() {
      recording = true;
      await all("start");
    },
    async stop() {
      recording = false;
      await all("stop");
      const recorded = profiles;
      profiles = [];
      return recorded.toSorted((a, b) => a.thread.localeCompare(b.thread, "en", { numeric: true }));
    },
    async close() {
      for (const { socket } of threads) socket.destroy();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A recorder's end of a connection. Questions are answered in order. */
class Thread {
  readonly socket: Socket;
  name = () => "";
  readonly #waiting: (() => void)[] = [];

  constructor(socket: Socket) {
    this.socket = socket;
  }

  /** Resolves with the answer, or when the thread has ended. */
  ask(command: ToRecorder): Promise<void> {
    if (this.socket.destroyed) return Promise.resolve();
    this.socket.write(`${command}\n`);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  answered(): void {
    const waiting = this.socket.destroyed ? this.#waiting.splice(0) : this.#waiting.splice(0, 1);
    for (const resolve of waiting) resolve();
  }
}
