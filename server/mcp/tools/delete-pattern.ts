import Type from "typebox";
import { deletePattern } from "../../actions/delete-pattern.ts";
import { Id, strict } from "../../actions/resources/fields.ts";
import { dataTool } from "../tool.ts";
import { PatternId } from "./ids.ts";

export const deletePatternTool = dataTool({
  name: "delete_pattern",
  title: "Delete a pattern",
  description:
    "Removes a pattern for good; its credit does not come back. The source stays, and links to its renders keep working until they expire. Ask the person before you call it.",
  input: { pattern_id: PatternId },
  output: Type.Object(
    { pattern_id: Id, deleted: Type.Literal(true, { description: "It is gone." }) },
    strict,
  ),
  behaviour: { destructive: true, idempotent: true },
  example: { pattern_id: 12 },
  async run({ services, account, input: { pattern_id } }) {
    await deletePattern(services, account.id, pattern_id);
    return { pattern_id, deleted: true };
  },
});
