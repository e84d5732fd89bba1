import Type from "typebox";
import { Pattern, showPattern } from "../../actions/resources/pattern.ts";
import { PatternChanges, updatePattern } from "../../actions/update-pattern.ts";
import { dataTool } from "../tool.ts";
import { PatternId, SourceId } from "./ids.ts";

export const updatePatternTool = dataTool({
  name: "update_pattern",
  title: "Change a pattern",
  description:
    "Changes what you give of a pattern; the rest stays, also inside motif, lattice and seam. `effects` is replaced as a whole; null takes palette, style, background or name away. A style that is set brings its seam along. Call render_pattern_tile after to see the change.",
  input: {
    ...PatternChanges.properties,
    pattern_id: PatternId,
    source_id: Type.Optional(SourceId),
  },
  output: Pattern,
  behaviour: { destructive: true, idempotent: true },
  isChange: true,
  example: { pattern_id: 12, group: "p6m", motif: { rotation: 45 }, palette: "lagoon" },
  async run({ services, account, input: { pattern_id, ...changes } }) {
    const anyVersion = () => true;
    return showPattern(await updatePattern(services, account.id, pattern_id, changes, anyVersion));
  },
});
