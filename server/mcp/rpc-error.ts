/** An error of the protocol (JSON-RPC 2.0, section 5.1), as opposed to a failure of a tool. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  constructor(message: string, { code, ...options }: ErrorOptions & { readonly code: number }) {
    super(message, options);
    this.code = code;
  }
}

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** The account may not call just now; the message says why. From the range for servers' own codes. */
export const NOT_ADMITTED = -32001;

/** https://modelcontextprotocol.io/specification/2025-06-18/server/resources#error-handling */
export const RESOURCE_NOT_FOUND = -32002;
