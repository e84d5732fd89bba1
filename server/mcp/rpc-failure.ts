/** Failures as the protocol's errors. */
import type { RequestId } from "@modelcontextprotocol/sdk/types.js";
import { NotFound, RateLimited } from "../actions/failures.ts";
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
  malformed_json: PARSE_ERROR,
  malformed_request: INVALID_REQUEST,
  validation_failed: INVALID_PARAMS,
  internal: INTERNAL_ERROR,
};

/** What is thrown while a call is answered, as an error that says no more than it should. */
export function rpcErrorOf(error: unknown, listeners: FaultListeners): RpcError {
  if (error instanceof RpcError) return error;
  const failure = reportFailure(error, listeners, "MCP request failed");
  if (failure === null) {
    return new RpcError("something went wrong here, and is in our log", { code: INTERNAL_ERROR });
  }
  const { status, code, text } = failure;
  const retry = error instanceof RateLimited ? { retry_after: error.retrySeconds } : {};
  const data = { code, status, ...retry };
  if (error instanceof NotFound) return new RpcError(text, { code: RESOURCE_NOT_FOUND, data });
  return new RpcError(text, { code: STANDARD[code] ?? refusalCode(status), data });
}

/** A request that was refused before any method saw it, as HTTP says it. */
export interface Refusal {
  readonly status: number;
  /** A stable word. */
  readonly code: string;
  readonly detail: string;
  /** Seconds after which it may be sent again. */
  readonly retryAfter?: number;
}

/** The answer to a refused call. `id` is null where it is not known which call it was. */
export function refusalMessage(error: unknown, id: RequestId | null, refusal: Refusal): object {
  const { status, code, detail, retryAfter } = refusal;
  const message = describeFailure(error)?.text ?? `${code}: ${detail}`;
  const data = { code, status, ...(retryAfter !== undefined && { retry_after: retryAfter }) };
  return {
    jsonrpc: "2.0",
    id,
    error: { code: STANDARD[code] ?? refusalCode(status), message, data },
  };
}
