/**
 * MCP for one client that started this process: `orbifold mcp`. Standard output carries the
 * protocol and nothing else.
 */
import "./protocol-output.ts";
import { authenticateApiKey, requireScope } from "./actions/api-keys.ts";
import type { FailureCode } from "./actions/failures.ts";
import { addresses } from "./addresses.ts";
import type { Config } from "./config.ts";
import { createLog } from "./log.ts";
import { keyHolder } from "./mcp/caller.ts";
import { createMcpServer } from "./mcp/server.ts";
import { stdioTransport } from "./mcp/transports/stdio.ts";
import { protocolOutput } from "./protocol-output.ts";
import { withServices } from "./with-services.ts";

/** The session has no valid key; the message is one line for the operator. */
export class MissingKey extends Error {
  override readonly name = "MissingKey";
  readonly code = "unauthorized" satisfies FailureCode;
}

/**
 * Serves MCP over standard input and output until the input ends, the output fails or a signal
 * arrives; requests in progress are finished. Throws MissingKey, and the errors of opening the services.
 */
export async function serveStdio(config: Config): Promise<void> {
  const key = config.serviceApiKey;
  if (!key) throw new MissingKey("SERVICE_API_KEY: expected an API key (pf_…), got nothing");
  const log = createLog(config.logLevel);
  await withServices(config, log, { mayCreate: false }, async (local) => {
    const found = await authenticateApiKey(local.db, key);
    if (!found) throw new MissingKey("SERVICE_API_KEY: the key is unknown, mistyped or revoked");
    requireScope(found.key.scopes, "mcp");
    const services = { ...local, ...addresses(config, config.port) };
    const caller = keyHolder(services, found.key.id, true);
    const server = createMcpServer({ services, transport: "stdio", caller, log });
    const ended = new Promise<void>((resolve) => {
      server.onclose = resolve;
    });
    const transport = stdioTransport(process.stdin, protocolOutput);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, transport.finish);
    await server.connect(transport);
    await ended;
  });
}
