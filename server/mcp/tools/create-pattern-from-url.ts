import Type from "typebox";
import { PATTERN_COST } from "../../actions/create-pattern.ts";
import { createPatternFromUrl, UrlPattern } from "../../actions/create-pattern-from-url.ts";
import { strict } from "../../actions/resources/fields.ts";
import { Pattern, showPattern } from "../../actions/resources/pattern.ts";
import { Source, showSource } from "../../actions/resources/source.ts";
import { dataTool } from "../tool.ts";

export const createPatternFromUrlTool = dataTool({
  name: "create_pattern_from_url",
  title: "Create a pattern of a picture on the web",
  description:
    "Fetches a picture from a public address and makes a seamless pattern of it under a wallpaper group, in one call. Call render_pattern_tile or render_pattern_surface after, with the pattern's `id`. For more patterns of the same picture call create_pattern with the source's `id` instead of fetching it again. Where the pattern cannot be made, nothing is kept and nothing is charged.",
  input: UrlPattern.properties,
  output: Type.Object({ pattern: Pattern, source: Source }, strict),
  behaviour: { openWorld: true },
  cost: PATTERN_COST,
  example: { url: "https://example.com/leaves.jpg", group: "p6m", name: "Leaves" },
  async run({ services, account, input, signal }) {
    const { pattern, source } = await createPatternFromUrl(services, account, input, signal);
    return { pattern: showPattern(pattern), source: showSource(source) };
  },
});
