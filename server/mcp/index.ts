/** The MCP server as the HTTP server calls it. */
import type { Log } from "../actions/log.ts";
import type { McpPort } from "../actions/mcp-port.ts";
import type { Services } from "../actions/services.ts";
import { execute } from "./execute.ts";
import { manifest } from "./manifest.ts";
import { requestIdOf } from "./message.ts";
import { refusalMessage } from "./rpc-failure.ts";
import { joinSseSessions } from "./transports/sse.ts";
import { createStreamableCalls } from "./transports/streamable.ts";

/** Joins this process to the sessions of all nodes. */
export async function createMcpOverHttp(services: Services, log: Log): Promise<McpPort> {
  const calls = createStreamableCalls(services, log);
  const sse = await joinSseSessions(services, log, calls);
  return {
    ...sse,
    manifest: (account) => manifest(services.publicUrl, account),
    execute,
    streamable: calls.handle,
    requestIdOf,
    refusalMessage,
  };
}
