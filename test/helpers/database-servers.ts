/** Where a run of tests, or a test file that runs alone, has its PostgreSQL. */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A migrated database that the others are copied from. */
export const TEMPLATE = "template_of_tests";

/** The folder of the server that an owner's tests use. */
export const folderOf = (owner: number) => join(tmpdir(), `orbifold-tests-${owner}`);

export const urlOf = (server: string, database: string) =>
  Object.assign(new URL(server), { pathname: database }).href;

/** Starts a server that ends with its owner; its folder is there at once. */
export function startServerFor(owner: number): void {
  mkdirSync(folderOf(owner));
  const program = join(import.meta.dirname, "database-server.ts");
  spawn(process.execPath, [program, `${owner}`], { detached: true, stdio: "ignore" }).unref();
}
