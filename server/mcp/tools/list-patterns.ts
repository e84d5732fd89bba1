import Type from "typebox";
import { listPatterns, PatternList } from "../../actions/list-patterns.ts";
import { PageOf, showPage } from "../../actions/resources/page.ts";
import { Pattern, showPattern } from "../../actions/resources/pattern.ts";
import { dataTool } from "../tool.ts";
import { SourceId } from "./ids.ts";

export const listPatternsTool = dataTool({
  name: "list_patterns",
  title: "List the patterns",
  description:
    "The account's patterns, newest first, of one group or one source if asked. Call it to find a `pattern_id`; go on with `next_cursor` as `cursor` until it is null.",
  input: { ...PatternList.properties, source_id: Type.Optional(SourceId) },
  output: PageOf(Pattern),
  behaviour: { readOnly: true, idempotent: true },
  example: { limit: 10, group: "p4m" },
  async run({ services, account, input }) {
    return showPage(await listPatterns(services, account.id, input), showPattern);
  },
});
