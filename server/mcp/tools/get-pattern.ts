import { getPattern } from "../../actions/get-pattern.ts";
import { Pattern, showPattern } from "../../actions/resources/pattern.ts";
import { dataTool } from "../tool.ts";
import { PatternId } from "./ids.ts";

export const getPatternTool = dataTool({
  name: "get_pattern",
  title: "Read a pattern",
  description:
    "All fields of one pattern: its source, group, motif, lattice, seam, effects, palette, style and background. Call it before update_pattern to see what is there; to see the picture call render_pattern_tile.",
  input: { pattern_id: PatternId },
  output: Pattern,
  behaviour: { readOnly: true, idempotent: true },
  example: { pattern_id: 12 },
  async run({ services, account, input: { pattern_id } }) {
    return showPattern(await getPattern(services, account.id, pattern_id));
  },
});
