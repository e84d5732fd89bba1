import { isDatabaseFull } from "../../db/index.ts";

/** What file systems say when there is no room, or none for this user. */
const CODES = new Set(["ENOSPC", "EDQUOT"]);

/** Whether something failed because a disk is full: one of this machine, or the database's. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (CODES.has((error as NodeJS.ErrnoException).code ?? "") || isDatabaseFull(error)) return true;
  return isDiskFull(error.cause);
}
