/** Renders patterns for tools: the picture, its facts and its certificate. */

import { QuotaExceeded } from "../actions/errors.ts";
import { inputCheck } from "../actions/input.ts";
import type { StoredPattern } from "../actions/pattern-cache.ts";
import { getStoredPattern } from "../actions/patterns.ts";
import { linkTo } from "../actions/render-links.ts";
import {
  type Checked,
  checkRender,
  type Design,
  formatFacts,
  losesDetail,
  measuresOf,
  RenderFields,
  sizeOf,
} from "../actions/renders.ts";
import type { Services } from "../actions/services.ts";
import { certifyStored, ValidateFields } from "../actions/validation.ts";
import { type Preview, renderPreview } from "./preview.ts";
import type { ImageResponse, ToolCall } from "./tool.ts";

const readRender = inputCheck(RenderFields, { fillDefaults: true });
const readValidation = inputCheck(ValidateFields, { fillDefaults: true });

/**
 * Renders a pattern and returns the picture with its facts, link and certificate.
 * @param renderOf returns fields of the render for the tool's input; the others have defaults
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
  const fields = checkRender(readRender(renderOf(asked)));
  const stored = await getStoredPattern(services, account.id, pattern_id);
  const { pattern, source } = stored;

  const validation = readValidation({ tile: fields.tile, hex_cells: fields.hex_cells });
  const [link, shown, certificate] = await together(signal, (signal) => [
    linkOrNote(services, stored, fields, expires_in),
    renderPreview(services, stored, fields, signal),
    fields.mode === "tile" || fields.mode === "surface"
      ? certifyStored(services, stored, validation, signal)
      : null,
  ]);
  return {
    bytes: shown.bytes,
    mediaType: formatFacts[shown.fields.format].mediaType,
    facts: {
      pattern_id,
      ...(certificate && { group: pattern.group, counterchange: pattern.counterchange }),
      source: { id: pattern.source_id, preset: source.preset, seed: source.seed },
      render: asked,
      picture: describePicture(stored, shown),
      full: {
        ...link,
        ...sizeOf(stored.design, fields),
        format: fields.format,
        ...measuresOf(stored.design, fields),
      },
      ...(certificate && {
        symmetry: {
          verdict: certificate.verdict,
          claimed: certificate.claimed,
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
  fields: Checked<RenderFields>,
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

function describePicture(
  { design }: StoredPattern,
  { fields, scale, isComplete, isPreview }: Preview,
) {
  return {
    ...sizeOf(design, fields),
    format: fields.format,
    is_preview: isPreview,
    ...(isPreview && {
      scale: Number(scale.toPrecision(3)),
      note: noteOn(design, fields, isComplete),
    }),
  };
}

function noteOn(design: Design, fields: RenderFields, isComplete: boolean): string {
  if (fields.mode === "tile") return "Smaller or more strongly compressed than the full picture.";
  const part = fields.mode === "rosette" ? "middle" : "top left part";
  const shown = isComplete ? "The whole sheet" : `The ${part} of the sheet`;
  return `${shown}, smaller or more strongly compressed${losesDetail(design, fields) ? "; fine effects, such as grain, look coarser than in the full picture" : ""}.`;
}

/** Waits for all work; the first error aborts the rest. */
async function together<Work extends readonly unknown[]>(
  caller: AbortSignal,
  start: (signal: AbortSignal) => readonly [...Work],
): Promise<{ -readonly [Part in keyof Work]: Awaited<Work[Part]> }> {
  const failed = new AbortController();
  try {
    return await Promise.all(start(AbortSignal.any([caller, failed.signal])));
  } catch (error) {
    failed.abort();
    throw error;
  }
}
