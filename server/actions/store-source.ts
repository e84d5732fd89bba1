import type { NewSource, Source } from "../../db/index.ts";
import { ownerOf } from "./accounts.ts";
import type { Services } from "./services.ts";

/** Where a source comes from; the other fields are read from its bytes. */
export type Origin = Pick<NewSource, "kind" | "preset" | "seed" | "url">;

/**
 * Looks at a picture and stores what is needed of it as a source of the account, charging `cost`
 * credits. Throws SourceUnreadable, SourceTooLarge, CreditsExhausted, QuotaExceeded, Overloaded, and
 * what `signal` aborts with.
 */
export async function storeSource(
  { db, engine }: Services,
  accountId: number,
  origin: Origin,
  bytes: Uint8Array,
  cost: number,
  signal: AbortSignal,
): Promise<Source> {
  // How much of the bytes is stored is known only then.
  await db.sources.checkQuotas(accountId, 1, cost);
  const facts = await engine.inspect(bytes, signal, ownerOf(accountId));
  const fields: NewSource = {
    ...origin,
    media_type: facts.mediaType,
    width: facts.width,
    height: facts.height,
    has_alpha: facts.hasAlpha,
    sha256: facts.sha256,
  };
  return db.sources.create(accountId, fields, facts.bytes, cost);
}
