import { createHash } from "node:crypto";
import type { NewSource, Source } from "../../db/index.ts";
import { ownerOf } from "./accounts.ts";
import type { Services } from "./services.ts";

/** Where a source comes from; the other fields are read from its bytes. */
export type Origin = Pick<NewSource, "kind" | "preset" | "seed" | "url">;

/**
 * Looks at a picture and stores it as a source of the account, charging `cost` credits.
 * Throws SourceUnreadable, SourceTooLarge, CreditsExhausted.
 */
export async function storeSource(
  { db, engine }: Services,
  accountId: number,
  origin: Origin,
  bytes: Uint8Array,
  cost: number,
): Promise<Source> {
  const facts = await engine.inspect(bytes, ownerOf(accountId));
  const fields: NewSource = {
    ...origin,
    media_type: facts.mediaType,
    width: facts.width,
    height: facts.height,
    has_alpha: facts.hasAlpha,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  };
  return db.sources.create(accountId, fields, bytes, cost);
}
