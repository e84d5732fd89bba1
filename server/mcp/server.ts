/** The protocol's server for one session or call of a caller, whatever transport brings its messages. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { Log } from "../actions/log.ts";
import type { Services } from "../actions/services.ts";
import type { Caller } from "./caller.ts";
import { SERVER_INFO } from "./manifest.ts";
import { CAPABILITIES, findMethod } from "./methods.ts";
import { METHOD_NOT_FOUND, RpcError } from "./rpc-error.ts";
import { rpcErrorOf } from "./rpc-failure.ts";

/** Nothing of ours asks for structured input; without this every server would make its own. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

export interface McpServerParts {
  readonly services: Services;
  readonly caller: Caller;
  readonly log: Log;
}

/**
 * Returns a server that is not connected yet. It checks parameters itself: the SDK's own checks answer
 * with whole lists of its schema library's issues.
 */
export function createMcpServer({ services, caller, log }: McpServerParts): Server {
  const server = new Server(SERVER_INFO, { capabilities: CAPABILITIES, jsonSchemaValidator });
  server.removeRequestHandler("initialize");
  server.fallbackRequestHandler = async ({ method: name, params = {} }, extra) => {
    const method = findMethod(name);
    if (!method) throw new RpcError("Method not found", { code: METHOD_NOT_FOUND });
    const signal = withoutReason(extra.signal);
    try {
      return await method.run(method.check(params), { services, caller, log, extra, signal });
    } catch (error) {
      // The answer to what was cancelled is heard by nobody.
      if (signal.aborted) throw error;
      throw rpcErrorOf(error, { services, log });
    }
  };
  return server;
}

/** A signal that aborts when this one does. Its reason is the client's text, and not to be thrown. */
function withoutReason(cancelled: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort();
  if (cancelled.aborted) abort();
  cancelled.addEventListener("abort", abort, { once: true });
  return controller.signal;
}
