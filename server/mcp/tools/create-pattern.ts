import { createPattern, PATTERN_COST } from "../../actions/create-pattern.ts";
import { patternFields } from "../../actions/pattern-input.ts";
import { Pattern, showPattern } from "../../actions/resources/pattern.ts";
import { dataTool } from "../tool.ts";
import { SourceId } from "./ids.ts";

export const createPatternTool = dataTool({
  name: "create_pattern",
  title: "Create a pattern",
  description:
    "Makes a seamless pattern of a source under a wallpaper group. Call generate_preset or upload_source_from_base64 before, for `source_id`, and render_pattern_tile or render_pattern_surface after, to see it. What you leave out takes good defaults; update_pattern changes it later for free, so do not make a second pattern for a small change.",
  input: { ...patternFields, source_id: SourceId },
  output: Pattern,
  behaviour: {},
  cost: PATTERN_COST,
  example: { source_id: 31, group: "p4m", name: "Summer tiles", style: "linen_print" },
  async run({ services, account, input }) {
    return showPattern(await createPattern(services, account, input));
  },
});
