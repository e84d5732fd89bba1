/** The PostgreSQL of a run of tests, or of a test file that runs alone. */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A migrated database with the queues of jobs, the template of the others. */
export const TEMPLATE = "template_of_tests";

/** The folder of the server of an owner's tests. */
export const folderOf = (owner: number) => join(tmpdir(), `orbifold-tests-${owner}`);

export const urlOf = (server: string, database: string) =>
  Object.assign(new URL(server), { pathname: database }).href;

/** Starts a server that ends with its owner; its folder exists at once. */
export function startServerFor(owner: number): void {
  mkdirSync(folderOf(owner));
  const program = join(import.meta.dirname, "database-server.ts");
  spawn(process.execPath, [program, `${owner}`], { detached: true, stdio: "ignore" }).unref();
}
