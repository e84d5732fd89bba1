import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { MalformedMessage } from "../actions/session-errors.ts";
import { INVALID_REQUEST, PARSE_ERROR, RpcError } from "./rpc-error.ts";

/** A message from its text. Throws RpcError; batches are no messages here. */
export function readFrame(text: string): JSONRPCMessage {
  return checkFrame(parse(text));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RpcError("this is not JSON", { code: PARSE_ERROR, cause: error });
  }
}

function checkFrame(value: unknown): JSONRPCMessage {
  if (Array.isArray(value))
    throw new RpcError("batches are not taken: send one message", { code: INVALID_REQUEST });
  const checked = JSONRPCMessageSchema.safeParse(value);
  if (checked.success) return checked.data;
  throw new RpcError("this is no JSON-RPC 2.0 message", { code: INVALID_REQUEST });
}

/** A message from the JSON value of a request's body. Throws MalformedMessage. */
export function requireMessage(value: unknown): JSONRPCMessage {
  try {
    return checkFrame(value);
  } catch (error) {
    throw new MalformedMessage((error as Error).message, { cause: error });
  }
}
