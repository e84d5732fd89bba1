/** MCP over HTTP as the HTTP side sees it: everything but the requests themselves. */

import type { RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { Log } from "../actions/log.ts";
import type { Account, Services } from "../actions/services.ts";
import { type Execution, execute } from "./execute.ts";
import { requestIdOf } from "./frame.ts";
import { manifest } from "./manifest.ts";
import { type Refusal, refusalMessage } from "./rpc-failure.ts";
import { joinSseSessions, type SseSessions } from "./transports/sse.ts";
import { createStreamableCalls, type StreamableCalls } from "./transports/streamable.ts";

export interface McpOverHttp extends SseSessions {
  manifest(account: Account): object;
  execute(
    services: Services,
    account: Account,
    execution: Execution,
    signal: AbortSignal,
  ): Promise<object>;
  streamable: StreamableCalls["handle"];
  requestIdOf(body: unknown): RequestId | null;
  refusalMessage(error: unknown, id: RequestId | null, refusal: Refusal): object;
}

/** The sessions and calls of this process, and what needs none. */
export async function createMcpOverHttp(services: Services, log: Log): Promise<McpOverHttp> {
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
