/** The tools as `tools/list` returns them. */
import type { Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import { jsonSchema } from "../actions/json-schema.ts";
import type { Tool } from "./tool.ts";
import { TOOLS } from "./tools/index.ts";

function listed(tool: Tool): ListedTool {
  const { readOnly = false, destructive = false, idempotent = readOnly } = tool.behaviour;
  const { openWorld = false } = tool.behaviour;
  const input = jsonSchema(tool.input, { input: true, defaults: !tool.isChange });
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: input as ListedTool["inputSchema"],
    ...(tool.kind === "data" && {
      outputSchema: jsonSchema(tool.output, {
        input: false,
        defaults: false,
      }) as ListedTool["outputSchema"],
    }),
    annotations: {
      title: tool.title,
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    },
  };
}

/** Result of `tools/list`, on one page. */
export const LISTED_TOOLS: readonly ListedTool[] = TOOLS.map(listed);
