import type { Certificate, ValidateFields } from "../../engine/index.ts";
import { ownerOf } from "./accounts.ts";
import { getPattern } from "./get-pattern.ts";
import { getPatternSource } from "./get-pattern-source.ts";
import type { StoredPattern } from "./pattern-cache.ts";
import { readSourceImage } from "./read-source-image.ts";
import { designOf } from "./resources/pattern.ts";
import type { Services } from "./services.ts";

export { Certificate, ValidateFields } from "../../engine/index.ts";

/**
 * Renders a tile of the account's pattern and certifies its symmetry. Throws NotFound, Overloaded,
 * SourceUnreadable, and what the signal aborts with.
 */
export async function validatePattern(
  services: Services,
  accountId: number,
  id: number,
  fields: ValidateFields,
  signal: AbortSignal,
): Promise<Certificate> {
  const pattern = await getPattern(services, accountId, id);
  const source = await getPatternSource(services, pattern);
  return certifyStored(services, { pattern, source }, fields, signal);
}

/** Certifies the symmetry of a tile of this very version of a pattern; throws as `validatePattern`. */
export async function certifyStored(
  services: Services,
  { pattern, source }: StoredPattern,
  fields: ValidateFields,
  signal: AbortSignal,
): Promise<Certificate> {
  const bytes = await readSourceImage(services, source);
  return services.engine.certify(
    {
      kind: "design",
      design: designOf(pattern),
      source: { sha256: source.sha256, bytes },
      fields,
    },
    signal,
    ownerOf(pattern.account_id),
  );
}
