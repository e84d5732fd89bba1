/** What moves the bytes of one kind of rows between the database and the object store. */
import type { FragmentSqlToken } from "slonik";

export const STORAGE_PLACES = ["s3", "database"] as const;
export type StoragePlace = (typeof STORAGE_PLACES)[number];

export type Kind = "sources" | "mockups" | "exports";

/** A row whose bytes are moved. */
export interface Item {
  readonly id: string;
  /** Hex. */
  readonly sha256: string;
}

/** Moves the bytes of one kind of rows. */
export interface Mover {
  readonly kind: Kind;
  /** Selects the ids and SHA-256 of rows whose bytes are not yet in a place; ends with conditions. */
  readonly rows: Readonly<Record<StoragePlace, FragmentSqlToken>>;
  /** The column by which rows are looked up in pages, */
  readonly key: FragmentSqlToken;
  /** and its value for an id, or one that is less than all. */
  keyOf(id: string | null): FragmentSqlToken;
  name(id: string): string;
  /** Both resolve with false where the row was deleted or changed meanwhile. Throw `CorruptedContent`. */
  toStore(item: Item, signal: AbortSignal): Promise<boolean>;
  toDatabase(item: Item, signal: AbortSignal): Promise<boolean>;
}
