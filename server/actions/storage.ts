/** Where bytes are stored. */
import type { Database, StoragePlace } from "../../db/index.ts";

export { STORAGE_PLACES } from "../../db/index.ts";

type Move = Database["moveBytes"];

/** Some bytes could not be moved, and are where they were; the message names them. */
class MoveIncomplete extends Error {
  override readonly name = "MoveIncomplete";
  readonly code = "move_incomplete";
}

/**
 * Moves all bytes to a place, and returns how many of each kind. Objects that no row has any more are
 * deleted at once when bytes move to the database. Throws `MoveIncomplete`,
 * `ObjectStoreUnavailable` and the reason of `signal`; to repeat it goes on.
 */
export async function moveStorage(
  db: Pick<Database, "moveBytes" | "deleteRemoved">,
  to: StoragePlace,
  signal: AbortSignal,
  onProgress: Parameters<Move>[1]["onProgress"],
): Promise<Awaited<ReturnType<Move>>["moved"]> {
  const { moved, damaged } = await db.moveBytes(to, { signal, onProgress });
  // Processes that run without the store later cannot delete them.
  if (to === "database") await db.deleteRemoved({ graceMs: 0 });
  if (damaged.length === 0) return moved;
  const names = damaged.join(", ");
  throw new MoveIncomplete(`the bytes of these are damaged or missing, and not moved: ${names}`);
}
