import Type, { type Static } from "typebox";
import { type Account, CreditsExhausted, type Pattern, type Source } from "../../db/index.ts";
import { createPattern, PATTERN_COST, readDesign } from "./create-pattern.ts";
import { createUrlSource, UrlSource } from "./create-url-source.ts";
import { deleteSource } from "./delete-source.ts";
import { patternFields } from "./pattern-input.ts";
import { strict } from "./resources/fields.ts";
import type { Services } from "./services.ts";

const { source_id: _, ...designFields } = patternFields;

export const UrlPattern = Type.Object({ ...UrlSource.properties, ...designFields }, strict);

/**
 * Fetches a picture and makes a pattern of it, both or neither; only the pattern costs. Nothing is
 * fetched for a pattern that cannot be made. Throws as `createUrlSource` and `createPattern` do.
 */
export async function createPatternFromUrl(
  services: Services,
  account: Account,
  { url, ...design }: Static<typeof UrlPattern>,
  signal: AbortSignal,
): Promise<{ readonly pattern: Pattern; readonly source: Source }> {
  readDesign(design);
  // The database has the last word; this only saves fetching in vain.
  if (account.credits < PATTERN_COST) throw new CreditsExhausted(PATTERN_COST);
  const source = await createUrlSource(services, account.id, { url }, signal);
  try {
    signal.throwIfAborted();
    const pattern = await createPattern(services, account, { ...design, source_id: source.id });
    return { pattern, source };
  } catch (error) {
    // Why there is no pattern is what the caller has to know, whether this works or not.
    await deleteSource(services, account.id, source.id).catch(() => undefined);
    throw error;
  }
}
