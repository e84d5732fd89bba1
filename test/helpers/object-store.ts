/** An S3 server in a process of its own, which tests can stop and start again. */
import { type ChildProcess, spawn } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Test } from "tap";
import { freePort } from "../../db/embedded/postmaster.ts";
import type { DatabaseOptions, ObjectStore } from "../../db/index.ts";
import { openObjectStore } from "../../server/object-store/index.ts";
import { objectStoreUrl } from "../../server/object-store/location.ts";
import { temporaryFolder } from "./database.ts";
import { until } from "./jobs.ts";

const PROGRAM = createRequire(import.meta.url).resolve("s3rver/bin/s3rver.js");

const BUCKET = "orbifold";

/** How s3rver names the files of objects. */
const OBJECT = "._S3rver_object";

export interface ObjectServer {
  /** For `OBJECT_STORE_URL`. */
  readonly url: string;
  readonly store: ObjectStore;
  /** For `openDatabase`. */
  readonly objects: NonNullable<DatabaseOptions["objects"]>;
  /** The keys of all objects, without the prefix. */
  keys(): Promise<string[]>;
  /** Changes one byte of an object. */
  corrupt(key: string): Promise<void>;
  /** The server goes away, */
  stop(): Promise<void>;
  /** and is back with its objects. */
  start(): Promise<void>;
  /** It accepts connections and never answers, until it continues. */
  freeze(isFrozen: boolean): void;
}

/** Starts an S3 server with an empty bucket until the test ends. */
export async function objectServer(t: Test, options = ""): Promise<ObjectServer> {
  const folder = await temporaryFolder(t);
  const port = await freePort();
  const url = `s3://S3RVER:S3RVER@127.0.0.1:${port}/${BUCKET}/test?tls=false${options}`;
  const store = openObjectStore(objectStoreUrl(url));
  let child: ChildProcess | undefined;
  const stop = async () => {
    const running = child;
    child = undefined;
    if (!running) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill("SIGKILL");
    await ended;
  };
  const start = async () => {
    const args = ["-s", "-d", folder, "-a", "127.0.0.1", "-p", `${port}`];
    const started = spawn(process.execPath, [PROGRAM, ...args, "--configure-bucket", BUCKET], {
      stdio: "ignore",
    });
    child = started;
    // s3rver may end where a client breaks off, and a supervisor would start it again.
    started.once("exit", () => {
      if (child === started) void start().catch(() => undefined);
    });
    const answers = () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      );
    await until(() => child !== started || answers());
  };
  await start();
  t.teardown(async () => {
    store[Symbol.dispose]();
    await stop();
  });
  const root = join(folder, BUCKET, "test");
  const { isReadOnly } = objectStoreUrl(url);
  return {
    url,
    store,
    objects: { store, isReadOnly, folder: join(folder, "staged") },
    async keys() {
      const files = await readdir(root, { recursive: true }).catch(() => []);
      return files
        .filter((name) => name.endsWith(OBJECT))
        .map((name) => name.slice(0, -OBJECT.length))
        .sort();
    },
    async corrupt(key) {
      const path = join(root, `${key}${OBJECT}`);
      const bytes = await readFile(path);
      const middle = bytes.length >> 1;
      bytes[middle] = (bytes[middle] ?? 0) ^ 1;
      await writeFile(path, bytes);
    },
    stop,
    start,
    freeze: (isFrozen) => void child?.kill(isFrozen ? "SIGSTOP" : "SIGCONT"),
  };
}
