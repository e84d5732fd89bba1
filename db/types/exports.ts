/** The part of the database's door that files for print and pictures of products go through. */
import type { Export, ExportRun, Mockup, NewExport } from "./export-records.ts";
import type { Page } from "./records.ts";
import type { EventData } from "./webhook-records.ts";

/** The queries about files for print. */
export interface Exports {
  /**
   * Orders a file, to be made by the job `make_export`. Null when the pattern is not the account's.
   * Until it is done it counts as `estimatedBytes`. Throws QuotaExceeded, and Conflict where the
   * account has `unfinishedAtMost` under way.
   */
  create(
    accountId: number,
    fields: NewExport,
    limits: { readonly estimatedBytes: number; readonly unfinishedAtMost: number },
  ): Promise<Export | null>;
  get(accountId: number, id: number): Promise<Export | null>;
  list(
    accountId: number,
    page: { before?: number; limit: number; pattern_id?: number },
  ): Promise<Page<Export>>;
  /** Its file goes with it, and whoever is making it stops. False when there is no such export. */
  delete(accountId: number, id: number): Promise<boolean>;
  /**
   * A piece of the file of an export that is done, counted from 0; null when there is none. Rejects
   * with CorruptedContent.
   */
  chunk(id: number, number: number): Promise<Uint8Array | null>;
  /** Those that have expired go. */
  forgetExpired(): Promise<void>;
  /**
   * Begins to make it, from the start. Null when it is done, given up or gone. A run before that was
   * not paused counts as a failure.
   */
  begin(
    id: number,
  ): Promise<{ readonly ordered: Export; readonly run: number; readonly failures: number } | null>;
  /** Notes how far it is, in percent. This and all below throw Superseded. */
  proceed(run: ExportRun, progress: number): Promise<void>;
  /** Writes the next piece of its file: of CHUNK_BYTES all but the last. */
  write(run: ExportRun, number: number, content: Uint8Array): Promise<void>;
  /** Writes over bytes of the first piece. Rejects with CorruptedContent too. */
  overwrite(run: ExportRun, at: number, content: Uint8Array): Promise<void>;
  /** A piece that was written; null where none was. Rejects with CorruptedContent too. */
  written(run: ExportRun, number: number): Promise<Uint8Array | null>;
  /**
   * It is done, counts as its `bytes`, and is kept for so many days. Throws QuotaExceeded for a file
   * larger than its estimate that the account has no room for.
   */
  finish(
    run: ExportRun,
    facts: { readonly bytes: number; readonly sha256: string; readonly certificate: unknown },
    keptDays: number,
  ): Promise<void>;
  /** It is left for later, through no fault of its own. Does nothing where it was superseded. */
  pause(run: ExportRun): Promise<void>;
  /** It is given up, and what there is of its file goes. */
  fail(run: ExportRun, error: string, keptDays: number): Promise<void>;
}

/** The queries about pictures of products. */
export interface Mockups {
  /**
   * Orders pictures of products, to be drawn by the job `draw_mockups`; one that there is for the
   * pattern is drawn anew. Null when the pattern is not the account's. Until it is drawn each counts as
   * `estimatedBytes`. Throws QuotaExceeded.
   */
  order(
    accountId: number,
    patternId: number,
    wanted: readonly { readonly product: string; readonly cell_mm: number }[],
    estimatedBytes: number,
  ): Promise<readonly Mockup[] | null>;
  /** Those of a pattern, by product. Null when the pattern is not the account's. */
  list(accountId: number, patternId: number): Promise<readonly Mockup[] | null>;
  get(accountId: number, id: number): Promise<Mockup | null>;
  /** The picture with its SHA-256 in hex; null when there is none yet. Rejects with CorruptedContent. */
  image(
    accountId: number,
    id: number,
  ): Promise<{ readonly image: Uint8Array; readonly sha256: string } | null>;
  /** All that were ordered together and not ordered again since. */
  ofBatch(batch: string): Promise<readonly Mockup[]>;
  /** Notes the picture, or why there is none. Does nothing when it was ordered again, or is gone. */
  settle(
    batch: string,
    id: number,
    outcome: { readonly image: Uint8Array } | { readonly error: string },
  ): Promise<void>;
  /** Tells those who subscribed that the pictures of a batch are there. */
  announce(
    accountId: number,
    patternId: number,
    mockups: EventData["mockup.ready"]["mockups"],
  ): Promise<void>;
}
