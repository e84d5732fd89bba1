import {
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { MalformedMessage } from "../actions/errors.ts";
import { INVALID_REQUEST, PARSE_ERROR, RpcError } from "./rpc-error.ts";

/** The text or value is not a JSON-RPC message. */
export class MessageError extends RpcError {
  /** Id of the request, if it can be determined. */
  readonly id: RequestId | null;
  constructor(
    message: string,
    {
      id = null,
      ...options
    }: ErrorOptions & { readonly code: number; readonly id?: RequestId | null },
  ) {
    super(message, options);
    this.id = id;
  }
}

/** Parses a message. Throws MessageError, also for batches. */
export function parseMessage(text: string): JSONRPCMessage {
  return checkMessage(parse(text));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MessageError("this is not JSON", { code: PARSE_ERROR, cause: error });
  }
}

function checkMessage(value: unknown): JSONRPCMessage {
  if (Array.isArray(value)) {
    throw new MessageError("batches are not supported: send one message", {
      code: INVALID_REQUEST,
    });
  }
  const checked = JSONRPCMessageSchema.safeParse(value);
  if (checked.success) return checked.data;
  const expected =
    "expected a JSON-RPC 2.0 message: an object with jsonrpc “2.0”, method, params as an object, and for a request an id (a string or an integer)";
  throw new MessageError(expected, { code: INVALID_REQUEST, id: requestIdOf(value) });
}

/** Returns the id of a value that is a request, or was meant to be one; else null. */
export function requestIdOf(value: unknown): RequestId | null {
  if (typeof value !== "object" || value === null || !("method" in value)) return null;
  const id = "id" in value ? value.id : null;
  const isInteger = typeof id === "number" && Number.isSafeInteger(id);
  return typeof id === "string" || isInteger ? id : null;
}

/** Returns the message in the JSON value of a request's body. Throws MalformedMessage. */
export function requireMessage(value: unknown): JSONRPCMessage {
  try {
    return checkMessage(value);
  } catch (error) {
    throw new MalformedMessage((error as Error).message, { cause: error });
  }
}
