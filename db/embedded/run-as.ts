/** The user that PostgreSQL runs as, since it refuses to run as root, and a copy of its programs for it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseUnavailable } from "../connection/pool.ts";
import { copyPrograms, findPrograms } from "./programs.ts";

/** A user as options of `spawn`; empty: the user of this process. */
export type User = { readonly uid: number; readonly gid: number } | Record<string, never>;

export interface RunAs {
  readonly user: User;
  /** The folder with `postgres` and `initdb`, executable for the user. */
  readonly bin: string;
}

/** True when PostgreSQL must run as another user. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Candidate users, in this order; after them any user but root. */
async function unprivilegedUsers(): Promise<readonly User[]> {
  const users = (await readFile("/etc/passwd", "utf8"))
    .split("\n")
    .map((line) => line.split(":"))
    .filter(([, , uid]) => Number(uid) > 0)
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  const rank = ({ name = "" }) => ["nobody", "postgres"].indexOf(name);
  return users.toSorted((a, b) => rank(b) - rank(a)).map(({ uid, gid }) => ({ uid, gid }));
}

/** Whether the user can run the programs in `bin`; "user" when this process cannot become the user. */
async function canRun(bin: string, user: User): Promise<"yes" | "programs" | "user"> {
  try {
    const child = spawn(join(bin, "postgres"), ["--version"], {
      ...user,
      cwd: "/",
      env: {},
      stdio: "ignore",
    });
    const [code] = await once(child, "exit");
    return code === 0 ? "yes" : "programs";
  } catch (error) {
    // execve fails with EACCES or ENOENT, setuid with EPERM or EINVAL.
    const { code } = error as NodeJS.ErrnoException;
    return code === "EPERM" || code === "EINVAL" ? "user" : "programs";
  }
}

/**
 * Chooses the user that PostgreSQL runs as: the `owner` of an existing database folder, or any. Throws
 * `DatabaseUnavailable`, with what to do, when none can run it.
 */
export async function chooseRunAs(owner: User | null): Promise<RunAs> {
  const programs = await findPrograms();
  if (!isRoot()) return { user: {}, bin: join(programs.folder, "bin") };

  for (const user of owner ? [owner] : await unprivilegedUsers()) {
    const bin = join(programs.folder, "bin");
    const answer = await canRun(bin, user);
    if (answer === "yes") return { user, bin };
    if (answer === "programs") {
      // A checkout in root's home, which no other user can read.
      const copy = join(await copyPrograms(programs), "bin");
      if ((await canRun(copy, user)) === "yes") return { user, bin: copy };
    }
  }
  throw new DatabaseUnavailable(
    "PostgreSQL does not run as root and no other user can be taken here: run orbifold as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own",
  );
}
