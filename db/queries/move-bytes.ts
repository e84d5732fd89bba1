/**
 * Moves bytes between the database and the object store, row by row, while both are in use. A row changes
 * once its bytes have been read from their new place, so a move may be interrupted and repeated.
 */
import { sql } from "slonik";
import Type from "typebox";
import { row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { CorruptedContent } from "../errors.ts";
import { ObjectStoreUnavailable } from "../object-store.ts";
import { columnMovers } from "./move-columns.ts";
import { exportMover } from "./move-exports.ts";
import type { Item, Kind, Mover, StoragePlace } from "./mover.ts";
import type { StoredObjects } from "./stored-objects.ts";

export interface MoveProgress {
  readonly kind: Kind;
  readonly moved: number;
  /** Rows whose bytes were elsewhere when the move of this kind began. */
  readonly total: number;
}

export interface MoveResult {
  readonly moved: Readonly<Record<Kind, number>>;
  /** What stays where it is, because its bytes are damaged or missing. */
  readonly damaged: readonly string[];
}

interface MoveOptions {
  readonly onProgress: (progress: MoveProgress) => void;
  readonly signal: AbortSignal;
}

/** Rows that are looked up at a time, and moved at once. */
const PAGE = 100;
const AT_ONCE = 4;

const itemRow = row({ id: Type.String(), sha256: Type.String() });
const countRow = row({ count: Type.Integer() });

export function moveQueries(pool: Connection, objects: StoredObjects) {
  /** Returns the number of moved rows, and the names of damaged ones. */
  const moveKind = async (mover: Mover, to: StoragePlace, { onProgress, signal }: MoveOptions) => {
    const rows = mover.rows[to];
    const { count: total } = await pool.one(
      sql.type(countRow)`select count(*) from (${rows}) as found`,
    );
    const damaged: string[] = [];
    let moved = 0;
    const move = async (item: Item) => {
      signal.throwIfAborted();
      try {
        const isMoved =
          to === "s3" ? await mover.toStore(item, signal) : await mover.toDatabase(item, signal);
        if (isMoved) onProgress({ kind: mover.kind, moved: ++moved, total });
      } catch (error) {
        if (!(error instanceof CorruptedContent)) throw error;
        damaged.push(item.id);
      }
    };
    for (let last: string | undefined | null = null; last !== undefined; ) {
      const found: readonly Item[] = await pool.any(sql.type(itemRow)`
        ${rows} and ${mover.key} > ${mover.keyOf(last)} order by ${mover.key} limit ${PAGE}`);
      last = found.at(-1)?.id;
      const items = found.values();
      const workers = Array.from({ length: AT_ONCE }, async () => {
        for (const item of items) await move(item);
      });
      // All have ended before an error is thrown.
      for (const worker of await Promise.allSettled(workers)) {
        if (worker.status === "rejected") throw worker.reason;
      }
    }
    return { moved, damaged: damaged.map(mover.name) };
  };

  return {
    /** Moves all bytes to a place. Throws `ObjectStoreUnavailable`, and the reason of the signal. */
    async moveBytes(to: StoragePlace, options: MoveOptions): Promise<MoveResult> {
      if (!objects.writable) {
        throw new ObjectStoreUnavailable(
          "OBJECT_STORE_URL: expected an object store, without readonly=true",
        );
      }
      const moved: Record<Kind, number> = { sources: 0, mockups: 0, exports: 0 };
      const damaged: string[] = [];
      for (const mover of [...columnMovers(pool, objects), exportMover(pool, objects)]) {
        const result = await moveKind(mover, to, options);
        moved[mover.kind] = result.moved;
        damaged.push(...result.damaged);
      }
      return { moved, damaged };
    },
  };
}
