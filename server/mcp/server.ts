/** The MCP server of one session or call, over any transport. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { Log } from "../actions/log.ts";
import type { McpTransport } from "../actions/measurements.ts";
import type { Services } from "../actions/services.ts";
import type { Caller } from "./caller.ts";
import { SERVER_INFO } from "./manifest.ts";
import { CAPABILITIES, findMethod } from "./methods.ts";
import { METHOD_NOT_FOUND, RpcError } from "./rpc-error.ts";
import { rpcErrorOf } from "./rpc-failure.ts";

/** Elicitation is not used; without this every server would create its own validator. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

export interface McpServerParts {
  readonly services: Services;
  /** What its messages come by. */
  readonly transport: McpTransport;
  readonly caller: Caller;
  readonly log: Log;
}

/**
 * Returns a server that is not connected yet. It checks parameters itself: the SDK's own checks answer
 * with whole lists of its schema library's issues.
 */
export function createMcpServer({ services, transport, caller, log }: McpServerParts): Server {
  const server = new Server(SERVER_INFO, { capabilities: CAPABILITIES, jsonSchemaValidator });
  server.removeRequestHandler("initialize");
  server.fallbackRequestHandler = async ({ method: name, params = {} }, extra) => {
    const method = findMethod(name);
    if (!method) throw new RpcError("Method not found", { code: METHOD_NOT_FOUND });
    const signal = withoutReason(extra.signal);
    try {
      const context = { services, transport, caller, log, extra, signal };
      return await method.run(method.check(params), context);
    } catch (error) {
      // Cancelled requests get no response.
      if (signal.aborted) throw error;
      throw rpcErrorOf(error, { services, log });
    }
  };
  return server;
}

/** Returns a signal that aborts with this one, without its reason, which is the client's text. */
function withoutReason(cancelled: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort();
  if (cancelled.aborted) abort();
  cancelled.addEventListener("abort", abort, { once: true });
  return controller.signal;
}
