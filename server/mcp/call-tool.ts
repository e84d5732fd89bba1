/** Runs a tool and returns its result, or its failure, as MCP represents it. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { SpanOptions } from "@opentelemetry/api";
import type { Log } from "../actions/log.ts";
import { type McpTransport, measure } from "../actions/measurements.ts";
import { createTimeLimit } from "../actions/renders.ts";
import type { Account, Services } from "../actions/services.ts";
import { inSpan } from "../actions/spans.ts";
import { reportFailure } from "./failures.ts";
import { INVALID_PARAMS, RpcError } from "./rpc-error.ts";
import type { ImageResponse, Tool } from "./tool.ts";
import { TOOLS } from "./tools/index.ts";

export interface ToolRequest {
  readonly name: string;
  readonly arguments?: unknown;
}

export interface ToolContext {
  readonly services: Services;
  readonly transport: McpTransport;
  readonly account: Account;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** Clients time out a call after about a minute. */
const CALL_MS = 50_000;

const byName = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** Returns the tool with this name; undefined where there is none. */
export function findTool(name: string): Tool | undefined {
  return byName.get(name);
}

/**
 * Runs a tool for an authenticated account. Failures are results with `isError`; faults of the service
 * are logged, too. Throws RpcError for an unknown tool.
 */
export async function callTool(
  { name, arguments: given = {} }: ToolRequest,
  context: ToolContext,
): Promise<CallToolResult> {
  const tool = findTool(name);
  if (!tool) {
    const received = JSON.stringify(name.slice(0, 60));
    throw new RpcError(`there is no tool ${received}`, { code: INVALID_PARAMS });
  }
  return measureCall(
    tool,
    context.transport,
    () => run(tool, given, context),
    ({ isError }) => !isError,
  );
}

/** Runs a call of a tool, and measures its time and whether it succeeded. Throws what `call` throws. */
export async function measureCall<Result>(
  { name }: Tool,
  transport: McpTransport,
  call: () => Promise<Result>,
  hasSucceeded: (result: Result) => boolean = () => true,
): Promise<Result> {
  const start = performance.now();
  let succeeded = false;
  try {
    return await inSpan(`tools/call ${name}`, spanOptions(name, transport), async (span) => {
      const result = await call();
      succeeded = hasSucceeded(result);
      span.setAttribute("orbifold.mcp.succeeded", succeeded);
      return result;
    });
  } finally {
    const seconds = (performance.now() - start) / 1000;
    measure("toolCall", { tool: name, transport, succeeded, seconds });
  }
}

const spanOptions = (tool: string, transport: McpTransport): SpanOptions => ({
  attributes: {
    "mcp.method.name": "tools/call",
    "gen_ai.tool.name": tool,
    "orbifold.mcp.transport": transport,
  },
});

async function run(
  tool: Tool,
  given: unknown,
  { services, account, signal, log }: ToolContext,
): Promise<CallToolResult> {
  const limit = createTimeLimit(CALL_MS, signal);
  try {
    const call = { services, account, input: tool.check(given), signal: limit.signal };
    if (tool.kind === "picture") return pictureResult(await tool.run(call));
    const facts = await tool.run(call);
    return {
      content: [{ type: "text", text: JSON.stringify(facts) }],
      structuredContent: { ...facts },
    };
  } catch (error) {
    if (signal.aborted) throw error;
    const fields = { tool: tool.name, account_id: account.id };
    const failure = reportFailure(error, { services, log }, "MCP tool failed", fields);
    const text = failure?.text ?? "internal: something went wrong here, and is in our log.";
    return { isError: true, content: [{ type: "text", text }] };
  } finally {
    limit.lift();
  }
}

/** Several clients drop the image if there is structured content beside it. */
function pictureResult({ bytes, mediaType, facts }: ImageResponse): CallToolResult {
  return {
    content: [
      { type: "image", data: Buffer.from(bytes).toString("base64"), mimeType: mediaType },
      { type: "text", text: JSON.stringify(facts) },
    ],
  };
}
