import type { Export } from "../../db/index.ts";
import { checkPrint, type PrintFields, preflight, printFacts } from "../../engine/index.ts";
import { NotFound } from "./errors.ts";
import { getPattern } from "./get-pattern.ts";
import { getPatternSource } from "./get-pattern-source.ts";
import { designOf } from "./resources/pattern.ts";
import type { Services } from "./services.ts";

export { PrintFields, printFacts } from "../../engine/index.ts";

/** What one account may have under way, and how many bytes of files it may keep. */
const LIMITS = { unfinishedAtMost: 20, bytesAtMost: 8 * 1024 ** 3 };

/**
 * Orders a file for print of the account's pattern as it is now. Throws NotFound, InvalidRecipe, and
 * Conflict where the account has as much as it may.
 */
export async function createExport(
  services: Services,
  accountId: number,
  patternId: number,
  fields: PrintFields,
): Promise<Export> {
  const pattern = await getPattern(services, accountId, patternId);
  const design = designOf(pattern);
  checkPrint(design, fields);
  const source = await getPatternSource(services, pattern);
  const size = { width: source.width, height: source.height, hasAlpha: source.has_alpha };
  const ordered = await services.db.exports.create(
    accountId,
    {
      pattern_id: patternId,
      design,
      source_sha256: source.sha256,
      fields,
      preflight: preflight(design, size, fields),
      media_type: printFacts[fields.format].mediaType,
    },
    LIMITS,
  );
  if (!ordered) throw new NotFound(`pattern ${patternId}`);
  return ordered;
}
