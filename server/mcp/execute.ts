/** Calls of a tool without a session (deprecated). */
import { InvalidInput, issueAt } from "../actions/errors.ts";
import type { ToolExecution } from "../actions/mcp-port.ts";
import type { Account, Services } from "../actions/services.ts";
import { findTool, measureCall } from "./call-tool.ts";
import { TOOLS } from "./tools/index.ts";

/**
 * Runs a tool and returns its result; an image in base64 beside its facts. Throws InvalidInput for
 * an unknown tool and invalid arguments, and the errors of the tool.
 */
export async function execute(
  services: Services,
  account: Account,
  { tool: name, arguments: given }: ToolExecution,
  signal: AbortSignal,
): Promise<object> {
  const tool = findTool(name);
  if (!tool) {
    const expected = `one of ${TOOLS.map((one) => one.name).join(", ")}`;
    throw new InvalidInput([issueAt("/tool", name, expected, "is no tool")]);
  }
  return measureCall(tool, "execute", async () => {
    const input = checked(() => tool.check(given));
    const call = { services, account, input, signal };
    if (tool.kind === "data") return tool.run(call);
    const { bytes, mediaType, facts } = await tool.run(call);
    return {
      ...facts,
      image: { media_type: mediaType, data: Buffer.from(bytes).toString("base64") },
    };
  });
}

/** Reports issues of the arguments at their place in the body. */
function checked<Value>(check: () => Value): Value {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    const moved = error.issues.map((issue) => ({
      ...issue,
      path: `/arguments${issue.path}`,
    }));
    throw new InvalidInput(moved, { cause: error });
  }
}
