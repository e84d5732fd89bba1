/** The parent's side of codec processes; spawner-main.ts starts them. */
import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CodecMessage, CodecReply, SpawnerEvent, SpawnerRequest } from "./protocol.ts";

const SPAWNER = fileURLToPath(new URL("./spawner-main.ts", import.meta.url));

/** Environment variables that codec processes get: fonts, folders and compiled modules, no secrets. */
const ENVIRONMENT =
  /^(?:PATH|HOME|LANG|LC_\w+|TMPDIR|LD_LIBRARY_PATH|FONTCONFIG_\w+|XDG_\w+|NODE_COMPILE_CACHE)$/;

/**
 * Settings of glibc's malloc. Without them a process keeps a hundred megabytes more, because each of its dozen threads has an
 * arena, though only one or two work at a time, and because pictures of up to 32 MB that were freed stay. Huge pages halve
 * the time in which a photograph of 12 megapixels is decoded: new pages are slow on virtual machines.
 */
const MALLOC = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: String(2 ** 20),
  MALLOC_TRIM_THRESHOLD_: String(4 * 2 ** 20),
  GLIBC_TUNABLES: "glibc.malloc.hugetlb=1",
};

/** A codec process was killed, or killed itself. */
export class ProcessKilled extends Error {
  override readonly name = "ProcessKilled";
  readonly signal: NodeJS.Signals;
  constructor(signal: NodeJS.Signals) {
    super(`a codec process ended by ${signal}`);
    this.signal = signal;
  }
}

/** The spawner ended, and all codec processes with it. */
export class SpawnerLost extends Error {
  override readonly name = "SpawnerLost";
}

export interface CodecProcess {
  /** Holds a request's input, then pieces of its output, two at a time. It has no name. */
  readonly file: FileHandle;
  /** Resolves when the process has started. */
  readonly ready: Promise<unknown>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** Whether it takes requests: it has not ended, and was not killed. */
  isRunning(): boolean;
  /** Returns the reply to a message. Throws `ProcessKilled`, or another error if the process ends. */
  ask(message: CodecMessage): Promise<CodecReply>;
  kill(): void;
}

export interface CodecProcesses {
  /** Starts a process whose data segment is bounded by `memoryBytes`. */
  start(memoryBytes: number): Promise<CodecProcess>;
  /** Ends the spawner, and all processes with it. */
  close(): void;
}

interface Listeners {
  reply(reply: CodecReply): void;
  exit(error: Error): void;
}

/** The spawner starts with the first codec process. */
export function createCodecProcesses(): CodecProcesses {
  const listeners = new Map<number, Listeners>();
  let spawner: ChildProcess | undefined;
  let lastId = 0;
  let waiting = 0;

  const openSpawner = (): ChildProcess => {
    // `process.execArgv` may contain modules for the server only.
    const passed = Object.entries(process.env).filter(([name]) => ENVIRONMENT.test(name));
    const opened = fork(SPAWNER, {
      execArgv: [],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      env: { ...Object.fromEntries(passed), ...MALLOC },
    });
    opened.on("message", (event: SpawnerEvent) => {
      const listening = listeners.get(event.id);
      if (event.kind === "reply") listening?.reply(event.reply);
      else listening?.exit(exitError(event));
    });
    const lost = (reason: string) => {
      if (spawner !== opened) return;
      spawner = undefined;
      const error = new SpawnerLost(`the spawner of codec processes ended: ${reason}`);
      for (const { exit } of [...listeners.values()]) exit(error);
    };
    opened.once("exit", (code, signal) => lost(signal ?? `code ${code}`));
    opened.once("error", ({ message }) => lost(message));
    return opened;
  };
  const send = (request: SpawnerRequest) => spawner?.send(request, () => undefined);
  /** The spawner keeps this process alive only while a reply is pending. */
  const wait = (change: 1 | -1) => {
    waiting += change;
    const method = waiting > 0 ? "ref" : "unref";
    spawner?.[method]();
    spawner?.channel?.[method]();
  };

  return {
    async start(memoryBytes) {
      const path = join(tmpdir(), `orbifold-${randomUUID()}`);
      const file = await open(path, "wx+", 0o600);
      spawner ??= openSpawner();
      const id = ++lastId;
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      let failure: Error | undefined;
      let isKilled = false;
      let pending: PromiseWithResolvers<CodecReply> | undefined;
      const settle = (act: (one: PromiseWithResolvers<CodecReply>) => void) => {
        if (pending === undefined) return;
        act(pending);
        pending = undefined;
        wait(-1);
      };
      const nextReply = () => {
        if (failure !== undefined) return Promise.reject(failure);
        pending = Promise.withResolvers<CodecReply>();
        wait(1);
        return pending.promise;
      };
      listeners.set(id, {
        reply: (reply) => settle(({ resolve }) => resolve(reply)),
        exit(error) {
          failure = error;
          listeners.delete(id);
          if (isKilled) wait(-1);
          settle(({ reject }) => reject(error));
          end();
        },
      });
      const ready = nextReply();
      // The spawner may not have unlinked the file.
      ready.catch(() => rm(path, { force: true })).catch(() => undefined);
      send({ kind: "start", id, path, memoryBytes });
      return {
        file,
        ready,
        ended,
        isRunning: () => !isKilled && failure === undefined,
        ask(message) {
          const reply = nextReply();
          send({ kind: "send", id, message });
          return reply;
        },
        kill() {
          if (isKilled || failure !== undefined) return;
          isKilled = true;
          wait(1);
          send({ kind: "kill", id });
        },
      };
    },
    close() {
      spawner?.disconnect();
    },
  };
}

const exitError = ({ code, signal }: Extract<SpawnerEvent, { readonly kind: "exit" }>) => {
  if (signal !== null) return new ProcessKilled(signal);
  return new Error(
    code === null
      ? "a codec process could not be started"
      : `a codec process ended with code ${code}`,
  );
};
