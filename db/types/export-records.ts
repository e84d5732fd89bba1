/** What the database keeps of files for print and of pictures of products. */
import { PIECE_BYTES } from "../connection/pieces.ts";

/** Where an export stands. */
export const EXPORT_STATES = ["queued", "running", "done", "failed"] as const;
export type ExportState = (typeof EXPORT_STATES)[number];

/** A file for print: ordered, being made, made or given up. */
export interface Export {
  readonly id: number;
  readonly account_id: number;
  readonly pattern_id: number;
  /** What the pattern was made of when the export was ordered, */
  readonly design: unknown;
  readonly source_sha256: string;
  /** and what was asked for. */
  readonly fields: unknown;
  readonly preflight: unknown;
  readonly media_type: string;
  readonly status: ExportState;
  /** Percent. */
  readonly progress: number;
  /** Of the pattern's symmetry; null before it is done, and where it has none to certify. */
  readonly certificate: unknown;
  /** Why it was given up. */
  readonly error: string | null;
  /** Length and SHA-256 in hex of the file that is there. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  /** When it goes. */
  readonly expires_at: Date | null;
}

export type NewExport = Pick<
  Export,
  "pattern_id" | "design" | "source_sha256" | "fields" | "preflight" | "media_type"
>;

/** One try at making an export; one that is begun later takes its place. */
export interface ExportRun {
  readonly id: number;
  /** Counted from 1. */
  readonly run: number;
}

/** The bytes of each piece of a file but the last: hashing one, too, holds nothing up. */
export const CHUNK_BYTES = PIECE_BYTES;

/** Where a picture of a product stands. */
export const MOCKUP_STATES = ["queued", "done", "failed"] as const;
export type MockupState = (typeof MOCKUP_STATES)[number];

/** A picture of a product that shows a pattern. */
export interface Mockup {
  readonly id: number;
  readonly account_id: number;
  readonly pattern_id: number;
  readonly product: string;
  /** Edge of the pattern's cell on the product. */
  readonly cell_mm: number;
  /** The order in which it was last asked for, a UUID. */
  readonly batch: string;
  readonly status: MockupState;
  readonly error: string | null;
  /** SHA-256 in hex of the picture that is there: while it is drawn anew, of the one before. */
  readonly sha256: string | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

/** The try has lost its right: the thing was removed, or another one works on it. */
export class Superseded extends Error {
  override readonly name = "Superseded";
}
