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
  /** Selects the ids and SHA-256 of rows whose bytes are not yet in a place. */
  readonly rows: Readonly<Record<StoragePlace, FragmentSqlToken>>;
  name(id: string): string;
  /** Both resolve with false where the row was deleted or changed meanwhile. Throw `CorruptedContent`. */
  toStore(item: Item, signal: AbortSignal): Promise<boolean>;
  toDatabase(item: Item, signal: AbortSignal): Promise<boolean>;
}
