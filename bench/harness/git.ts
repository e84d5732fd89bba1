/** Git, in this project's folder. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Runs git and returns what it prints, trimmed. Throws if it fails. */
export const git = (...args: readonly string[]): string =>
  execFileSync("git", args, {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

/** Returns a commit's milliseconds since 1970, or null if git does not know it. */
export function commitDate(commit: string): number | null {
  try {
    return 1000 * Number(git("show", "--no-patch", "--format=%ct", `${commit}^{commit}`));
  } catch {
    return null;
  }
}
