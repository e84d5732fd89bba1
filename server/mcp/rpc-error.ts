/** An error of the protocol (JSON-RPC 2.0, section 5.1), as opposed to a failure of a tool. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  /** Machine-readable details. */
  readonly data: object | undefined;
  constructor(
    message: string,
    { code, data, ...options }: ErrorOptions & { readonly code: number; readonly data?: object },
  ) {
    super(message, options);
    this.code = code;
    this.data = data;
  }
}

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** https://modelcontextprotocol.io/specification/2025-11-25/server/resources#error-handling */
export const RESOURCE_NOT_FOUND = -32002;

/**
 * Returns the JSON-RPC code for an HTTP status: -31429 for 429. JSON-RPC reserves -32768 to -32000,
 * in which the protocol and its SDKs keep adding codes.
 */
export const refusalCode = (status: number): number => -31000 - status;
