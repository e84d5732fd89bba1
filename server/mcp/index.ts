/** MCP over HTTP as the HTTP side sees it: everything but the requests themselves. */

import type { Log } from "../actions/log.ts";
import type { Account, Services } from "../actions/services.ts";
import { type Execution, execute } from "./execute.ts";
import { manifest } from "./manifest.ts";
import { type Holder, joinSseSessions, type SseSessions } from "./transports/sse.ts";
import { createStreamableSessions } from "./transports/streamable.ts";

export interface McpOverHttp extends Pick<SseSessions, "open" | "find" | "post"> {
  manifest(account: Account): object;
  execute(
    services: Services,
    account: Account,
    execution: Execution,
    signal: AbortSignal,
  ): Promise<object>;
  streamable(request: Request, body: unknown, holder: Holder): Promise<Response>;
  /** Ends all sessions. */
  close(): Promise<void>;
}

/** The sessions of this process, and what needs none. */
export async function createMcpOverHttp(services: Services, log: Log): Promise<McpOverHttp> {
  const sse = await joinSseSessions(services, log);
  const streamable = createStreamableSessions(services, log);
  return {
    ...sse,
    manifest: (account) => manifest(services.publicUrl, account),
    execute,
    streamable: streamable.handle,
    async close() {
      await Promise.all([sse.close(), streamable.close()]);
    },
  };
}
