import type { Export } from "../../db/index.ts";
import {
  checkPrint,
  type Preflight,
  type PrintFields,
  preflight,
  printFacts,
} from "../../engine/index.ts";
import { NotFound } from "./errors.ts";
import { getPattern } from "./get-pattern.ts";
import { getPatternSource } from "./get-pattern-source.ts";
import { designOf } from "./resources/pattern.ts";
import type { Services } from "./services.ts";

export { PrintFields, printFacts } from "../../engine/index.ts";

/** Exports that one account may have under way. */
const UNFINISHED_AT_MOST = 20;

/** Bytes of a file beside its picture: profile, metadata, structure. */
const FRAME_BYTES = 2 ** 16;

/**
 * Bytes that a file counts with until it is made: its pixels as they are where nothing is repeated and
 * nothing is lost, a byte for each otherwise.
 */
function estimateBytes({ pixels, raster, repeats }: Preflight, { format }: PrintFields): number {
  const isCompressed = format === "jpeg" || (repeats && raster === "sheet");
  return pixels.width * pixels.height * (isCompressed ? 1 : 4) + FRAME_BYTES;
}

/**
 * Orders a file for print of the account's pattern as it is now. Throws NotFound, InvalidRecipe,
 * QuotaExceeded, and Conflict where the account has as many under way as it may.
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
  const report = preflight(design, size, fields);
  const ordered = await services.db.exports.create(
    accountId,
    {
      pattern_id: patternId,
      design,
      source_sha256: source.sha256,
      fields,
      preflight: report,
      media_type: printFacts[fields.format].mediaType,
    },
    {
      estimatedBytes: estimateBytes(report, fields),
      unfinishedAtMost: UNFINISHED_AT_MOST,
    },
  );
  if (!ordered) throw new NotFound(`pattern ${patternId}`);
  return ordered;
}
