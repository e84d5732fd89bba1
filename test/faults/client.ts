/** Requests to nodes that may be gone. */

export interface CallRequest {
  readonly method: string;
  readonly path: string;
  /** Idempotency-Key. */
  readonly name?: string;
  readonly json?: object;
}

export interface CallResponse {
  /** 0: the connection broke or timed out. */
  readonly status: number;
  readonly bytes: Buffer;
}

/** A request that takes longer is given up: its node may be paused. */
const REQUEST_MS = 20_000;

/** Returns a function that sends a request to a node, each with the next of the API keys. */
export function createClient(keys: readonly string[], signal: AbortSignal) {
  let sent = 0;
  return async (
    node: string | undefined,
    { method, path, name, json }: CallRequest,
  ): Promise<CallResponse> => {
    const key = keys[sent++ % keys.length];
    try {
      if (node === undefined) throw new Error("no node listens");
      const response = await fetch(`${node}/api/v1${path}`, {
        method,
        headers: {
          "X-API-Key": key,
          ...(name && { "Idempotency-Key": name }),
          ...(json && { "Content-Type": "application/json" }),
        },
        ...(json && { body: JSON.stringify(json) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
      });
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
    } catch {
      return { status: 0, bytes: Buffer.alloc(0) };
    }
  };
}
