/** The parent's end of a side. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Answers, Question, Reply } from "./side.ts";

export interface Side {
  /** Sends a question and resolves with the answer. Throws if it fails or the process has ended. */
  ask<Q extends Question>(question: Q): Promise<Answers[Q["ask"]]>;
  end(): void;
}

const SIDE = fileURLToPath(new URL("side.ts", import.meta.url));

/**
 * Starts a side on the files of a folder. Throws if these have no cases.
 * @param env environment variables in addition to ours
 */
export async function openSide(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Side> {
  const child = fork(SIDE, [folder], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const said: string[] = [];
  child.stderr?.on("data", (bytes) => said.push(String(bytes)));
  const next = async (): Promise<unknown> => {
    const exit = new AbortController();
    const died = once(child, "exit", { signal: exit.signal }).then(() => {
      throw new Error(`the cases of ${folder} ended: ${said.join("").trim().split("\n").at(-1)}`);
    });
    // Once the message has arrived, no one waits for the exit.
    died.catch(() => undefined);
    const [message] = await Promise.race([once(child, "message"), died]);
    exit.abort();
    return message;
  };
  await next();
  return {
    async ask(question) {
      child.send(question);
      const reply = (await next()) as Reply;
      if (!reply.ok) throw new Error(reply.message);
      return reply.answer as Answers[(typeof question)["ask"]];
    },
    end: () => child.kill(),
  };
}
