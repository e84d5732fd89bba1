/** Runs at making an export, and the files that they make. */
import { sql } from "slonik";
import { Superseded } from "../errors.ts";

/** One run at making an export; a later one supersedes it. */
export interface ExportRun {
  readonly id: number;
  /** Counted from 1. */
  readonly run: number;
}

/** A file that has been made. */
export interface MadeFile {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
  /** Where it is, unless in the database. */
  readonly object?: { readonly key: string; readonly chunkHashes: readonly Uint8Array[] };
}

/** A file that is being made, in chunks of `CHUNK_BYTES`. */
export interface ExportFileWriter extends AsyncDisposable {
  write(chunk: Uint8Array): Promise<void>;
  /** Overwrites bytes of the first chunk. */
  overwrite(at: number, content: Uint8Array): Promise<void>;
  /** Stores the file, and reads it as it is stored. */
  finish(signal: AbortSignal): Promise<MadeFile>;
}

/** The condition that a row of `exports` belongs to a run that nothing has superseded. */
export const isRunning = ({ id, run }: ExportRun) =>
  sql.fragment`(id = ${id} and runs = ${run} and status = 'running')`;

export const superseded = ({ id, run }: ExportRun) =>
  new Superseded(`run ${run} of export ${id} has been superseded`);

/** Throws `Superseded` where a query of a run found nothing. */
export function checkRun(found: unknown, run: ExportRun): void {
  if (found === null) throw superseded(run);
}
