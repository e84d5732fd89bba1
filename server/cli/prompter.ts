/** Prompts at the terminal; without a terminal answers are read from standard input. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { UsageError } from "./arguments.ts";

export interface Prompter {
  /** Asks for confirmation. Throws `UsageError` without a terminal. */
  confirm(question: string): Promise<boolean>;
  /**
   * Reads a secret: typed at the terminal without echo, or else all of standard input without the
   * last line break. Rejects with an `AbortError` at Ctrl-C.
   */
  readSecret(prompt: string): Promise<string>;
}

/** The streams that prompts are written to and answers are read from. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream;
}

/** Discards the echo. */
const hidden = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** Prompts on standard error: standard output is for results only. */
async function ask(
  { stdin, stderr }: Terminal,
  question: string,
  output: NodeJS.WritableStream,
): Promise<string> {
  const input = createInterface({ input: stdin, output, terminal: true });
  const cancelled = new AbortController();
  input.once("SIGINT", () => cancelled.abort());
  input.once("close", () => cancelled.abort());
  stderr.write(question);
  try {
    return await input.question("", { signal: cancelled.signal });
  } finally {
    input.close();
  }
}

/** Returns prompts at a terminal. */
export const prompterAt = (terminal: Terminal): Prompter => ({
  async confirm(question) {
    if (!terminal.stdin.isTTY) {
      throw new UsageError("--yes: expected where standard input is no terminal");
    }
    return /^y(es)?$/i.test((await ask(terminal, `${question} [y/N] `, terminal.stderr)).trim());
  },

  async readSecret(prompt) {
    if (!terminal.stdin.isTTY) return (await text(terminal.stdin)).replace(/\r?\n$/, "");
    const secret = await ask(terminal, `${prompt}: `, hidden());
    terminal.stderr.write("\n");
    return secret;
  },
});
