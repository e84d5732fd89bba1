/** A peer in Python: a child process that times itself, so that its start does not count. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { peerEnvironment } from "../harness/started-server.ts";

export interface PythonPeer {
  /** Sends a command and waits for its end. All reject if the peer has ended. */
  send(command: object): Promise<void>;
  /** Sends a command that prepares it; resolves with the versions of its libraries. */
  load(command: object): Promise<Readonly<Record<string, string>>>;
  /** Sends a command that it times; resolves with milliseconds. */
  measure(command: object): Promise<number>;
  close(): Promise<void>;
}

/** Debian's Python has Debian's packages; the one on the path may be another. */
const INTERPRETERS = ["python3", "/usr/bin/python3"];

/** Starts a script of this folder, or returns null if no Python can import `modules`. */
export function startPythonPeer(script: string, modules: readonly string[]): PythonPeer | null {
  const python = INTERPRETERS.find((interpreter) => canImport(interpreter, modules));
  if (python === undefined) return null;
  const child = spawn(python, [fileURLToPath(new URL(script, import.meta.url))], {
    stdio: ["pipe", "pipe", "inherit"],
    // Numerical libraries below numpy have their own thread pools.
    env: { ...peerEnvironment(), OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" },
  });
  const exit = once(child, "exit");
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (command: object) => {
    child.stdin.write(`${JSON.stringify(command)}\n`);
    const { value, done } = await answers.next();
    if (done) throw new Error(`${script} ended without an answer`);
    return JSON.parse(value);
  };
  return {
    send: ask,
    load: async (command) => (await ask(command)).versions,
    measure: async (command) => (await ask(command)).ms,
    async close() {
      child.stdin.end();
      await exit;
    },
  };
}

function canImport(interpreter: string, modules: readonly string[]): boolean {
  try {
    execFileSync(interpreter, ["-c", `import ${modules.join(", ")}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
