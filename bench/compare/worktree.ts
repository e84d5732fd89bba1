/** A temporary worktree of another commit. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { git, ROOT } from "../harness/git.ts";

export interface Worktree {
  readonly folder: string;
  /** Short hash. */
  readonly commit: string;
  /** Deletes it, synchronously, so that it works while the process exits. */
  remove(): void;
}

/**
 * Checks a commit out into a temporary folder. It shares our packages if the lock files are equal;
 * otherwise they are installed. Throws a RangeError for a name that git does not know.
 * @param report receives the current activity
 */
export function checkOut(reference: string, report: (activity: string) => void): Worktree {
  const commit = resolve(reference);
  const folder = join(mkdtempSync(join(tmpdir(), "orbifold-compare-")), commit);
  const remove = () => {
    // `git worktree remove` would follow no link, but refuses an incomplete folder.
    rmSync(join(folder, ".."), { recursive: true, force: true });
    git("worktree", "prune");
  };
  try {
    report(`checking out ${commit}`);
    git("worktree", "add", "--detach", folder, commit);
    if (lockFile(folder) === lockFile(ROOT)) {
      symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "dir");
    } else {
      report(`installing the packages of ${commit}`);
      execFileSync("npm", ["ci", "--no-fund", "--no-audit", "--loglevel=error"], {
        cwd: folder,
        stdio: ["ignore", "ignore", "inherit"],
      });
    }
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, commit, remove };
}

function resolve(reference: string): string {
  try {
    return git("rev-parse", "--short", "--verify", "--end-of-options", `${reference}^{commit}`);
  } catch (error) {
    throw new RangeError(`git knows no commit "${reference}"`, { cause: error });
  }
}

const lockFile = (folder: string) => readFileSync(join(folder, "package-lock.json"), "utf8");
