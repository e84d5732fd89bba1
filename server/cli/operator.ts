/** Prompts at the terminal; without a terminal answers are read from standard input. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { UsageError } from "./arguments.ts";

export interface Operator {
  /** Asks for confirmation. Throws `UsageError` without a terminal. */
  confirm(question: string): Promise<boolean>;
  /**
   * Reads a secret: typed at the terminal without echo, or else all of standard input without the
   * last line break. Rejects with an `AbortError` at Ctrl-C.
   */
  readSecret(prompt: string): Promise<string>;
}

/** Discards the echo. */
const hidden = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** Prompts on standard error: standard output is for results only. */
async function ask(question: string, output: NodeJS.WritableStream): Promise<string> {
  const input = createInterface({ input: process.stdin, output, terminal: true });
  const cancelled = new AbortController();
  input.once("SIGINT", () => cancelled.abort());
  input.once("close", () => cancelled.abort());
  process.stderr.write(question);
  try {
    return await input.question("", { signal: cancelled.signal });
  } finally {
    input.close();
  }
}

/** The operator of this process. */
export const operator: Operator = {
  async confirm(question) {
    if (!process.stdin.isTTY) {
      throw new UsageError("--yes: expected where standard input is no terminal");
    }
    return /^y(es)?$/i.test((await ask(`${question} [y/N] `, process.stderr)).trim());
  },

  async readSecret(prompt) {
    if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, "");
    const secret = await ask(`${prompt}: `, hidden());
    process.stderr.write("\n");
    return secret;
  },
};
