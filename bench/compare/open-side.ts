/** The parent's end of a side. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Reply, Request, Results } from "./side.ts";

export interface Side {
  /** Sends a request and resolves with its result. Throws if it fails or the process has ended. */
  request<R extends Request>(request: R): Promise<Results[R["kind"]]>;
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
    async request(request) {
      child.send(request);
      const reply = (await next()) as Reply;
      if (!reply.ok) throw new Error(reply.message);
      return reply.result as Results[(typeof request)["kind"]];
    },
    end: () => child.kill(),
  };
}
