/** Programs that validate files. */
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
 * Returns why a test that needs these programs is skipped; false if they are installed. In CI a
 * missing program is a failure.
 */
export function skipWithout(...programs: readonly string[]): string | false {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0 || process.env.CI === "true") return false;
  return `not installed: ${missing.join(", ")}`;
}

/** Returns a program's output about a file, on both streams; throws if it fails. */
export async function runValidator(program: string, ...words: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run(program, words, { maxBuffer: 64 * 1024 * 1024 });
  return `${stdout}${stderr}`;
}
