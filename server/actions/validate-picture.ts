import type { Certificate } from "../../engine/index.ts";
import { ownerOf } from "./accounts.ts";
import { TooManyBytes } from "./errors.ts";
import { readGroup } from "./pattern-input.ts";
import type { Services } from "./services.ts";
import { SOURCE_BYTES } from "./upload-source.ts";

/**
 * Certifies the symmetry that is claimed of a picture, for an account. Nothing is kept. Throws InvalidInput for an
 * unknown group, TooManyBytes, SourceUnreadable, SourceTooLarge, Overloaded,
 * and what the signal aborts with.
 */
export async function validatePicture(
  { engine }: Services,
  accountId: number,
  bytes: Uint8Array,
  claimed: string,
  signal: AbortSignal,
): Promise<Certificate> {
  const group = readGroup(claimed);
  if (bytes.byteLength > SOURCE_BYTES) throw new TooManyBytes("the picture", SOURCE_BYTES);
  return engine.certify({ kind: "picture", bytes, group }, signal, ownerOf(accountId));
}
