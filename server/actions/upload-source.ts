import type { Source } from "../../db/index.ts";
import { LIMITS } from "../../engine/index.ts";
import { TooManyBytes } from "./errors.ts";
import type { Services } from "./services.ts";
import { storeSource } from "./store-source.ts";

/** Bytes of a picture that are taken at most. */
export const SOURCE_BYTES = LIMITS.source.bytes;

/**
 * Stores an uploaded picture as a source of the account, free of charge.
 * Throws TooManyBytes, SourceUnreadable, SourceTooLarge, QuotaExceeded, Overloaded, and
 * what `signal` aborts with.
 */
export async function uploadSource(
  services: Services,
  accountId: number,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<Source> {
  if (bytes.byteLength > SOURCE_BYTES) {
    throw new TooManyBytes("the picture", SOURCE_BYTES);
  }
  const origin = { kind: "upload", preset: null, seed: null, url: null } as const;
  return storeSource(services, accountId, origin, bytes, 0, signal);
}
