/** Tools that create, read, update, delete and certify patterns. */

import Type from "typebox";
import { InvalidInput } from "../../actions/errors.ts";
import { Id, PageOf, strict, toPageResponse } from "../../actions/fields.ts";
import {
  GroupInput,
  Pattern,
  patternFields,
  toPatternResponse,
} from "../../actions/pattern-fields.ts";
import {
  createPattern,
  createPatternFromUrl,
  deletePattern,
  getPattern,
  listPatterns,
  PATTERN_COST,
  PatternChanges,
  PatternList,
  UrlPattern,
  updatePattern,
} from "../../actions/patterns.ts";
import { pictureBytes, pictureText } from "../../actions/received-picture.ts";
import { Source, toSourceResponse } from "../../actions/sources.ts";
import {
  Certificate,
  ValidateFields,
  validatePattern,
  validatePicture,
} from "../../actions/validation.ts";
import { dataTool } from "../tool.ts";

export const PatternId = Type.Integer({
  ...Id,
  description: "Id of the pattern, as create_pattern and list_patterns return it.",
});

const SourceId = Type.Integer({
  ...Id,
  description: "Id of the source, as generate_preset and upload_source_from_base64 return it.",
});

export const createPatternTool = dataTool({
  name: "create_pattern",
  title: "Create a pattern",
  description:
    "Creates a seamless pattern from a source under a wallpaper group. First call generate_preset or upload_source_from_base64 for `source_id`; then call render_pattern_tile or render_pattern_surface to see the pattern. Omitted fields have good defaults; update_pattern changes them later for free, so do not create a second pattern for a small change.",
  input: { ...patternFields, source_id: SourceId },
  output: Pattern,
  behaviour: {},
  cost: PATTERN_COST,
  example: { source_id: 31, group: "p4m", name: "Summer tiles", style: "linen_print" },
  async run({ services, account, input, signal }) {
    return toPatternResponse(await createPattern(services, account, input, signal));
  },
});

export const createPatternFromUrlTool = dataTool({
  name: "create_pattern_from_url",
  title: "Create a pattern from an image on the web",
  description:
    "Fetches an image from a public URL and creates a seamless pattern from it under a wallpaper group, in one call. Then call render_pattern_tile or render_pattern_surface with the pattern's `id`. For more patterns from the same image call create_pattern with the source's `id` instead of fetching it again. If the pattern cannot be created, nothing is stored and nothing is charged.",
  input: UrlPattern.properties,
  output: Type.Object({ pattern: Pattern, source: Source }, strict),
  behaviour: { openWorld: true },
  cost: PATTERN_COST,
  example: { url: "https://example.com/leaves.jpg", group: "p6m", name: "Leaves" },
  async run({ services, account, input, signal }) {
    const { pattern, source } = await createPatternFromUrl(services, account, input, signal);
    return { pattern: toPatternResponse(pattern), source: toSourceResponse(source) };
  },
});

export const listPatternsTool = dataTool({
  name: "list_patterns",
  title: "List the patterns",
  description:
    "Lists the account's patterns, newest first, optionally of one group or one source. Call it to find a `pattern_id`; pass `next_cursor` as `cursor` for the next page until it is null.",
  input: { ...PatternList.properties, source_id: Type.Optional(SourceId) },
  output: PageOf(Pattern),
  behaviour: { readOnly: true, idempotent: true },
  example: { limit: 10, group: "p4m" },
  async run({ services, account, input }) {
    return toPageResponse(await listPatterns(services, account.id, input), toPatternResponse);
  },
});

export const getPatternTool = dataTool({
  name: "get_pattern",
  title: "Get a pattern",
  description:
    "Returns all fields of one pattern: its source, group, motif, lattice, counterchange, seam, effects, palette, style and background. Call it before update_pattern to see the current values; to see the image call render_pattern_tile.",
  input: { pattern_id: PatternId },
  output: Pattern,
  behaviour: { readOnly: true, idempotent: true },
  example: { pattern_id: 12 },
  async run({ services, account, input: { pattern_id } }) {
    return toPatternResponse(await getPattern(services, account.id, pattern_id));
  },
});

export const updatePatternTool = dataTool({
  name: "update_pattern",
  title: "Update a pattern",
  description:
    "Updates the given fields of a pattern; omitted fields stay unchanged, also within motif, lattice and seam. `effects` is replaced as a whole; null removes counterchange, palette, style, background or name. Setting a style also sets its seam. Then call render_pattern_tile to see the change.",
  input: {
    ...PatternChanges.properties,
    pattern_id: PatternId,
    source_id: Type.Optional(SourceId),
  },
  output: Pattern,
  behaviour: { destructive: true, idempotent: true },
  isChange: true,
  example: { pattern_id: 12, group: "p6m", motif: { rotation: 45 }, palette: "lagoon" },
  async run({ services, account, input: { pattern_id, ...changes }, signal }) {
    const anyVersion = () => true;
    return toPatternResponse(
      await updatePattern(services, account.id, pattern_id, changes, anyVersion, signal),
    );
  },
});

export const deletePatternTool = dataTool({
  name: "delete_pattern",
  title: "Delete a pattern",
  description:
    "Deletes a pattern permanently; its credit is not refunded. The source stays, and links to its renders keep working until they expire. Ask the user before you call it.",
  input: { pattern_id: PatternId },
  output: Type.Object(
    { pattern_id: Id, deleted: Type.Literal(true, { description: "The pattern is deleted." }) },
    strict,
  ),
  behaviour: { destructive: true, idempotent: true },
  example: { pattern_id: 12 },
  async run({ services, account, input: { pattern_id } }) {
    await deletePattern(services, account.id, pattern_id);
    return { pattern_id, deleted: true };
  },
});

const { size, tile, hex_cells } = ValidateFields.properties;

export const validateSymmetry = dataTool({
  name: "validate_symmetry",
  title: "Validate symmetry",
  description:
    "Certifies the wallpaper group of an image: pass either `pattern_id` to validate a tile of the pattern, or `data` with `group` to validate any image against the group it is claimed to have. Read `verdict` and `summary` first. valid: that group and no larger one; more_symmetric: a larger one, in `found`; broken: `failing` is the worst operation, or the image is stretched; undecided: too fine to decide, or its edges do not meet, `summary` says what would help. `reason` is a stable code for it. To fix a pattern call update_pattern, e.g. with `found` as its group or with seam method blend.",
  input: {
    pattern_id: Type.Optional(PatternId),
    size,
    tile,
    hex_cells,
    data: Type.Optional(
      pictureText(
        "Instead of pattern_id: a repeating image in base64, at most 12 MB and 50 megapixels. Its origin may be anywhere; nothing is stored.",
      ),
    ),
    group: Type.Optional(GroupInput),
  },
  output: Certificate,
  behaviour: { readOnly: true, idempotent: true },
  example: { pattern_id: 12 },
  async run({ services, account, input, signal }) {
    const { pattern_id, size, tile, hex_cells, data, group } = input;
    if (pattern_id !== undefined) {
      if (data !== undefined) refuse("data", "pattern_id or data, not both");
      if (group !== undefined) refuse("group", "no group beside pattern_id, which has its own");
      return validatePattern(services, account.id, pattern_id, { size, tile, hex_cells }, signal);
    }
    if (data === undefined) return refuse("pattern_id", "pattern_id, or data with group");
    if (group === undefined) return refuse("group", "the group that is claimed of data");
    return validatePicture(services, account.id, pictureBytes(data, "/data"), group, signal);
  },
});

function refuse(name: string, expected: string): never {
  throw new InvalidInput([{ path: `/${name}`, message: `expected ${expected}`, expected }]);
}
