/** Peers that are command-line programs. */
import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { peerEnvironment } from "../harness/started-server.ts";

export interface CommandPeer {
  readonly version: string;
  /** Runs it to its end. Throws with its output if it fails. */
  run(...args: string[]): Promise<void>;
}

/**
 * Returns the first installed program of a list, or null.
 * @param version matches its output for `--version`, with the version as a group
 */
export function findCommand(programs: readonly string[], version: RegExp): CommandPeer | null {
  for (const program of programs) {
    const found = version.exec(answerOf(program))?.[1];
    if (found === undefined) continue;
    return {
      version: found,
      async run(...args) {
        await promisify(execFile)(program, args, { env: peerEnvironment() });
      },
    };
  }
  return null;
}

function answerOf(program: string): string {
  try {
    return execFileSync(program, ["--version"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return "";
  }
}
