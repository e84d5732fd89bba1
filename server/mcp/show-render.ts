/** A render of a pattern as a tool answers with it: the picture, and what there is to say of it. */

import { QuotaExceeded } from "../actions/failures.ts";
import { inputCheck } from "../actions/input.ts";
import type { StoredPattern } from "../actions/pattern-cache.ts";
import { getPattern, getPatternSource } from "../actions/patterns.ts";
import { linkTo } from "../actions/render-links.ts";
import { checkRender, formatFacts, RenderFields, sizeOf } from "../actions/renders.ts";
import type { Services } from "../actions/services.ts";
import { certifyStored, ValidateFields } from "../actions/validation.ts";
import { patternPicture } from "./pattern-picture.ts";
import type { Shown } from "./preview.ts";
import type { ImageResponse, ToolCall } from "./tool.ts";

const readRender = inputCheck(RenderFields, { fillDefaults: true });
const readValidation = inputCheck(ValidateFields, { fillDefaults: true });

/**
 * Renders a pattern and shows it with its facts, the certificate of its symmetry among them.
 * @param renderOf the fields of a render that the tool's input stands for; the rest take defaults
 * Throws InvalidInput, InvalidRecipe, NotFound, SourceUnreadable, Overloaded, RenderTimeout, and
 * what the signal aborts with.
 */
export async function showRender<
  Input extends { readonly pattern_id: number; readonly expires_in: number },
>(
  { services, account, input, signal }: ToolCall<Input>,
  renderOf: (asked: Omit<Input, "pattern_id" | "expires_in">) => object,
): Promise<ImageResponse> {
  const { pattern_id, expires_in, ...asked } = input;
  const fields = readRender(renderOf(asked));
  checkRender(fields);
  const pattern = await getPattern(services, account.id, pattern_id);
  const source = await getPatternSource(services, pattern);
  const stored = { pattern, source };
  const link = await linkOrNote(services, stored, fields, expires_in);
  const { preset, seed } = source;

  const validation = readValidation({ hex_cells: fields.hex_cells });
  const [shown, certificate] = await together(
    signal,
    (signal) => patternPicture(services, stored, fields, signal),
    async (signal) =>
      fields.mode === "aperiodic" ? null : certifyStored(services, stored, validation, signal),
  );
  return {
    bytes: shown.bytes,
    mediaType: formatFacts[shown.fields.format].mediaType,
    facts: {
      pattern_id,
      ...(certificate && { group: pattern.group }),
      source: { id: pattern.source_id, preset, seed },
      render: asked,
      picture: describePicture(shown),
      full: { ...link, ...sizeOf(fields), format: fields.format },
      ...(certificate && {
        symmetry: {
          verdict: certificate.verdict,
          found: certificate.found,
          seamless: certificate.seam.seamless,
          summary: certificate.summary,
        },
      }),
    },
  };
}

/** The link to a picture; a note in its place where the account has as many links as it may. */
async function linkOrNote(
  services: Services,
  stored: StoredPattern,
  fields: RenderFields,
  seconds: number,
) {
  try {
    return await linkTo(services, stored, fields, seconds);
  } catch (error) {
    if (!(error instanceof QuotaExceeded)) throw error;
    const first = await services.db.pinnedRenders.firstExpiry(stored.pattern.account_id);
    const expiry = first ? ` The first of them expires at ${first.toISOString()}.` : "";
    return {
      url: null,
      expires_at: null,
      note: `quota_exceeded: the account has links to ${error.limit} pictures, as many as its plan allows.${expiry}`,
    };
  }
}

function describePicture({ fields, scale, isComplete, isPreview }: Shown) {
  return {
    ...sizeOf(fields),
    format: fields.format,
    is_preview: isPreview,
    ...(isPreview && { scale: Number(scale.toPrecision(3)), note: noteOn(fields, isComplete) }),
  };
}

function noteOn({ mode }: RenderFields, isComplete: boolean): string {
  if (mode === "tile") return "Smaller or more strongly compressed than the full picture.";
  const shown = isComplete ? "The whole sheet" : "The top left part of the sheet";
  return `${shown}, smaller or more strongly compressed; effects measured in pixels, such as grain, look coarser than in the full picture.`;
}

/** Does both; the one that fails first ends the other. */
async function together<First, Second>(
  caller: AbortSignal,
  first: (signal: AbortSignal) => Promise<First>,
  second: (signal: AbortSignal) => Promise<Second>,
): Promise<[First, Second]> {
  const failed = new AbortController();
  const signal = AbortSignal.any([caller, failed.signal]);
  try {
    return await Promise.all([first(signal), second(signal)]);
  } catch (error) {
    failed.abort();
    throw error;
  }
}
