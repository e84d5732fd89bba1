/** Failures as JSON-RPC errors. */
import type { McpPort } from "../actions/mcp-port.ts";
import { describeFailure, type FaultListeners, reportFailure } from "./failures.ts";
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  PARSE_ERROR,
  RESOURCE_NOT_FOUND,
  RpcError,
  refusalCode,
} from "./rpc-error.ts";

/** The failures that JSON-RPC has codes for. */
const STANDARD: Readonly<Record<string, number>> = {
  not_found: RESOURCE_NOT_FOUND,
  malformed_json: PARSE_ERROR,
  malformed_request: INVALID_REQUEST,
  validation_failed: INVALID_PARAMS,
  internal: INTERNAL_ERROR,
};

/** Converts an error into an RpcError that reveals no more than it should. */
export function rpcErrorOf(error: unknown, listeners: FaultListeners): RpcError {
  if (error instanceof RpcError) return error;
  const failure = reportFailure(error, listeners, "MCP request failed");
  if (failure === null) {
    return new RpcError("something went wrong here, and is in our log", { code: INTERNAL_ERROR });
  }
  const { status, code, text, retrySeconds } = failure;
  const data = { code, status, ...(retrySeconds !== undefined && { retry_after: retrySeconds }) };
  return new RpcError(text, { code: STANDARD[code] ?? refusalCode(status), data });
}

export const refusalMessage: McpPort["refusalMessage"] = (
  error,
  id,
  { status, code, detail, retryAfter },
) => {
  const message = describeFailure(error)?.text ?? `${code}: ${detail}`;
  const data = { code, status, ...(retryAfter !== undefined && { retry_after: retryAfter }) };
  return {
    jsonrpc: "2.0",
    id,
    error: { code: STANDARD[code] ?? refusalCode(status), message, data },
  };
};
