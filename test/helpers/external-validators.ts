/** Foreign programs that judge files. */
import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Why a test that needs these programs is skipped; false where they are there. Where a build server
 * checks every change, a program that is missing is a failure.
 */
export function skipWithout(...programs: readonly string[]): string | false {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0 || process.env.CI === "true") return false;
  return `not installed: ${missing.join(", ")}`;
}

/** What a program says about a file, on both its ways; throws where it ends with an error. */
export async function runValidator(program: string, ...words: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run(program, words, { maxBuffer: 64 * 1024 * 1024 });
  return `${stdout}${stderr}`;
}
