import Type from "typebox";
import { createColourways, NewColourways } from "../../actions/colourways.ts";
import { Id, PageOf, strict, toPageResponse } from "../../actions/fields.ts";
import { Pattern, toPatternResponse } from "../../actions/pattern-fields.ts";
import {
  createPattern,
  deletePattern,
  getPattern,
  listPatterns,
  NewPattern,
  PATTERN_COST,
  PatternChanges,
  PatternSearch,
  updatePattern,
} from "../../actions/patterns.ts";
import type { Pattern as PatternRow } from "../../actions/services.ts";
import { acceptedTags, matchesTag } from "../conditions.ts";
import { type DocumentedResponse, route } from "../route.ts";

const tag = "Patterns";
const path = "/api/v1/patterns";
const params = Type.Object({ id: Id }, strict);

const headers = {
  ETag: "The version of the pattern; send it as If-Match to change just this one.",
  "Cache-Control": "private, no-cache: may be stored, but must be revalidated with If-None-Match.",
};
const ColourwayList = Type.Object({ data: Type.Array(Pattern) }, strict);

const shown = (description: string): DocumentedResponse => ({
  description,
  schema: Pattern,
  headers,
});

const tagOf = ({ id, version }: PatternRow) => `"${id}-${version}"`;

function answer(status: number, row: PatternRow) {
  const headers = { ETag: tagOf(row), "Cache-Control": "private, no-cache" };
  return { status, headers, json: toPatternResponse(row) };
}

/** Sources under wallpaper groups. */
export const patternRoutes = [
  route({
    method: "GET",
    path,
    tag,
    operationId: "listPatterns",
    summary: "List your patterns",
    auth: "any",
    allowsGuests: true,
    query: PatternSearch,
    responses: { 200: { description: "A page of patterns.", schema: PageOf(Pattern) } },
    cost: 0,
    async handler({ services, account, query }) {
      const page = await listPatterns(services, account.id, query);
      return { status: 200, json: toPageResponse(page, toPatternResponse) };
    },
  }),
  route({
    method: "POST",
    path,
    tag,
    operationId: "createPattern",
    summary: "Create a pattern",
    auth: "any",
    allowsGuests: true,
    body: NewPattern,
    examples: {
      "A source under a group": { source_id: 31, group: "p4" },
      "With its own motif, seam, effects and palette": {
        source_id: 31,
        group: "p31m",
        name: "Summer tiles",
        motif: { x: 0.4, y: 0.6, scale: 1.5, rotation: 15 },
        seam: { method: "blend", width: 0.2 },
        effects: [{ id: "contrast", params: { amount: 0.3 } }],
        palette: "lagoon",
        background: "#f4efe6",
      },
      "With a style": { source_id: 31, group: "cmm", style: "linen_print" },
    },
    responses: {
      201: {
        ...shown("The pattern."),
        headers: { ...headers, Location: "URL of the pattern." },
      },
    },
    problems: ["not_found", "quota_exceeded", "overloaded"],
    isIdempotent: true,
    cost: PATTERN_COST,
    async handler({ services, account, body, signal }) {
      const pattern = await createPattern(services, account, body, signal);
      const { headers, ...created } = answer(201, pattern);
      const Location = `${services.publicUrl}${path}/${pattern.id}`;
      return { ...created, headers: { ...headers, Location } };
    },
  }),
  route({
    method: "POST",
    path: `${path}/{id}/colourways`,
    tag,
    operationId: "createColourways",
    summary: "Create a pattern's colourways",
    description: "Creates a copy of the pattern in each palette, all or none.",
    auth: "any",
    allowsGuests: true,
    params,
    body: NewColourways,
    examples: {
      "Three palettes": { palettes: ["delft", "forest", "blush"] },
      "The colours of another picture": { palettes: [{ from: 32, count: 6 }] },
    },
    responses: {
      201: {
        description: "The patterns, in the order of the palettes.",
        schema: ColourwayList,
        headers: { Location: "URL of the first one." },
      },
    },
    problems: ["not_found", "quota_exceeded", "overloaded"],
    isIdempotent: true,
    cost: PATTERN_COST,
    costUnit: "palette",
    async handler({ services, account, params: { id }, body, signal }) {
      const created = await createColourways(services, account, id, body, signal);
      const Location = `${services.publicUrl}${path}/${created[0]?.id}`;
      return { status: 201, headers: { Location }, json: { data: created.map(toPatternResponse) } };
    },
  }),
  route({
    method: "GET",
    path: `${path}/{id}`,
    tag,
    operationId: "getPattern",
    summary: "Get a pattern",
    auth: "any",
    allowsGuests: true,
    params,
    responses: {
      200: shown("The pattern."),
      304: { description: "Not modified: `If-None-Match` names its ETag.", headers },
    },
    cost: 0,
    async handler({ services, account, params: { id }, header }) {
      const pattern = await getPattern(services, account.id, id);
      const { headers, ...rest } = answer(200, pattern);
      if (matchesTag(header("If-None-Match"), headers.ETag)) return { status: 304, headers };
      return { ...rest, headers };
    },
  }),
  route({
    method: "PATCH",
    path: `${path}/{id}`,
    tag,
    operationId: "updatePattern",
    summary: "Update a pattern",
    description: "With `If-Match`, only that version is changed.",
    auth: "any",
    allowsGuests: true,
    params,
    body: PatternChanges,
    responses: { 200: shown("The pattern as it is now.") },
    problems: ["precondition_failed", "conflict", "overloaded"],
    cost: 0,
    async handler({ services, account, params: { id }, body, header, signal }) {
      const accepted = acceptedTags(header("If-Match"));
      const wants = (stored: PatternRow) => accepted(tagOf(stored));
      const changed = await updatePattern(services, account.id, id, body, wants, signal);
      return answer(200, changed);
    },
  }),
  route({
    method: "DELETE",
    path: `${path}/{id}`,
    tag,
    operationId: "deletePattern",
    summary: "Delete a pattern",
    description:
      "Deletes its exports and mockups, too. With `If-Match`, only that version is deleted.",
    auth: "any",
    allowsGuests: true,
    params,
    responses: { 204: { description: "Deleted." } },
    problems: ["precondition_failed"],
    cost: 0,
    async handler({ services, account, params: { id }, header }) {
      const ifMatch = header("If-Match");
      const accepted = acceptedTags(ifMatch);
      const wants = (stored: PatternRow) => accepted(tagOf(stored));
      await deletePattern(services, account.id, id, ifMatch === "" ? undefined : wants);
      return { status: 204 };
    },
  }),
];
