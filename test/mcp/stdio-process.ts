/** `orbifold mcp` as a separate process, with its streams. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Test } from "tap";
import { temporaryFolder } from "../helpers/database.ts";
import { type Message, until } from "./sse-session.ts";

const CLI = fileURLToPath(new URL("../../server/cli.ts", import.meta.url));

export interface StdioProcess {
  readonly process: ChildProcess & { readonly stdin: NodeJS.WritableStream };
  /** Messages so far; each line is checked to be one message. */
  readonly messages: readonly Message[];
  /** Its standard error so far. */
  issues(): string;
  /** Writes a message and its newline. */
  send(message: unknown): void;
  /** Writes these very bytes. */
  write(text: string): void;
  /** Resolves with the first matching message, past or future; fails once there can be none. */
  find(fits: (message: Message) => boolean): Promise<Message>;
  /** Resolves with the response to this request. */
  answer(id: string | number): Promise<Message>;
  /** Its exit code, once all its output is read; null if a signal killed it. */
  ended(): Promise<number | null>;
}

/** Starts one that is killed with the test. */
export async function startStdio(
  t: Test,
  environment: Readonly<Record<string, string>>,
): Promise<StdioProcess> {
  const child = spawn(process.execPath, [CLI, "mcp"], {
    env: {
      ...process.env,
      DATA_DIR: await temporaryFolder(t),
      ENGINE_THREADS: "1",
      ENGINE_BACKEND: "webasm",
      ...environment,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  t.teardown(() => child.kill("SIGKILL"));
  child.stdin.on("error", () => undefined);
  const messages: Message[] = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      try {
        messages.push(JSON.parse(line));
      } catch {
        t.fail(`standard output has a line that is no message: ${line.slice(0, 200)}`);
      }
    }
  });
  let issues = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    issues += part;
  });
  let hasEnded = false;
  const closed = once(child, "close").then(([code]) => {
    hasEnded = true;
    return code;
  });
  const find: StdioProcess["find"] = async (fits) => {
    await until(() => messages.some(fits) || hasEnded);
    const found = messages.find(fits);
    if (!found) throw new Error(`it has ended: ${issues}`);
    return found;
  };
  return {
    process: child,
    messages,
    issues: () => issues,
    send: (message) => child.stdin.write(`${JSON.stringify(message)}\n`),
    write: (text) => child.stdin.write(text),
    find,
    answer: (id) => find((message) => message.id === id && !message.method),
    async ended() {
      const code = await closed;
      t.equal(rest, "", "standard output ends with a whole line");
      return code;
    },
  };
}
