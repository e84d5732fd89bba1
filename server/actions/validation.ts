/** Certificates of symmetry. */
import type { Certificate, ValidateFields } from "../../engine/index.ts";
import { ownerOf } from "./accounts.ts";
import { PayloadTooLarge } from "./errors.ts";
import type { StoredPattern } from "./pattern-cache.ts";
import { readGroup } from "./pattern-fields.ts";
import { getStoredPattern } from "./patterns.ts";
import type { Services } from "./services.ts";
import { readSourceImage, SOURCE_BYTES } from "./sources.ts";

export { Certificate, ValidateFields } from "../../engine/index.ts";

/**
 * Renders a tile of a pattern and certifies its symmetry. Throws NotFound, Overloaded,
 * SourceUnreadable, and the reason of the signal.
 */
export async function validatePattern(
  services: Services,
  accountId: number,
  id: number,
  fields: ValidateFields,
  signal: AbortSignal,
): Promise<Certificate> {
  const stored = await getStoredPattern(services, accountId, id);
  return certifyStored(services, stored, fields, signal);
}

/** Certifies the symmetry of a tile of this version of a pattern; throws as `validatePattern`. */
export async function certifyStored(
  services: Services,
  { pattern, design, source }: StoredPattern,
  fields: ValidateFields,
  signal: AbortSignal,
): Promise<Certificate> {
  const bytes = await readSourceImage(services, source.sha256);
  return services.engine.certify(
    {
      kind: "design",
      design,
      source: { sha256: source.sha256, bytes },
      fields,
    },
    signal,
    ownerOf(pattern.account_id),
  );
}

/**
 * Certifies the claimed symmetry of an image. Nothing is stored. Throws InvalidInput for an unknown
 * group, PayloadTooLarge, SourceUnreadable, SourceTooLarge, Overloaded, and the reason of the signal.
 */
export async function validatePicture(
  { engine }: Services,
  accountId: number,
  bytes: Uint8Array,
  claimed: string,
  signal: AbortSignal,
): Promise<Certificate> {
  const group = readGroup(claimed);
  if (bytes.byteLength > SOURCE_BYTES) throw new PayloadTooLarge("the picture", SOURCE_BYTES);
  return engine.certify({ kind: "picture", bytes, group }, signal, ownerOf(accountId));
}
