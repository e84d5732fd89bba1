/** Patterns as MCP resources: `orbifold://patterns/12` is an image and its recipe. */
import { NotFound } from "../actions/errors.ts";
import { toPageResponse } from "../actions/fields.ts";
import { inputCheck } from "../actions/input.ts";
import { toPatternResponse } from "../actions/pattern-fields.ts";
import { getStoredPattern, listPatterns } from "../actions/patterns.ts";
import { checkRender, formatFacts, RenderFields } from "../actions/renders.ts";
import type { Account, Pattern, Services } from "../actions/services.ts";
import { renderPreview } from "./preview.ts";

const SCHEME = "orbifold://patterns/";
const PAGE_ROWS = 50;

/** Edge of a resource's tile in pixels. */
const TILE_SIZE = 512;

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: `${SCHEME}{id}`,
    name: "pattern",
    title: "A pattern",
    description: "A tile of the pattern with this id, as an image, and all its fields as JSON.",
    mimeType: "image/png",
  },
] as const;

const readRender = inputCheck(RenderFields, { fillDefaults: true });

/**
 * Returns a page of the account's patterns, newest first. Throws InvalidInput for an invalid
 * cursor.
 */
export async function listResources(services: Services, { id }: Account, cursor?: string) {
  const asked = { limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) };
  const { data, next_cursor } = toPageResponse(await listPatterns(services, id, asked), asResource);
  return { resources: data, ...(next_cursor !== null && { nextCursor: next_cursor }) };
}

function asResource({ id, name, group, source_id, updated_at }: Pattern) {
  return {
    uri: `${SCHEME}${id}`,
    name: `pattern-${id}`,
    title: name ?? `Pattern ${id}`,
    description: `A ${group} pattern of source ${source_id}, last changed ${updated_at.toISOString()}.`,
    mimeType: formatFacts.png.mediaType,
  };
}

/**
 * Returns a tile of a pattern and its fields. Throws NotFound for any other URI, and the errors of
 * a render.
 */
export async function readResource(
  services: Services,
  account: Account,
  uri: string,
  signal: AbortSignal,
) {
  const [, digits] = /^orbifold:\/\/patterns\/([1-9]\d{0,14})$/.exec(uri) ?? [];
  if (digits === undefined) throw new NotFound(`resource ${JSON.stringify(uri.slice(0, 200))}`);
  const stored = await getStoredPattern(services, account.id, Number(digits));
  const render = checkRender(readRender({ size: TILE_SIZE }));
  const { bytes, fields } = await renderPreview(services, stored, render, signal);
  return {
    contents: [
      {
        uri,
        mimeType: formatFacts[fields.format].mediaType,
        blob: Buffer.from(bytes).toString("base64"),
      },
      {
        uri,
        mimeType: "application/json",
        text: JSON.stringify(toPatternResponse(stored.pattern)),
      },
    ],
  };
}
