/** MCP over HTTP: what the HTTP server calls and the MCP server implements. */
import type { Account, Services } from "./services.ts";

/** Path of the Streamable HTTP transport's endpoint. */
export const MCP_ENDPOINT = "/api/v1/mcp";

/** The holder of an API key. */
export interface KeyHolder {
  readonly keyId: number;
  readonly account: Account;
}

/** Id of a JSON-RPC request. */
export type RequestId = string | number;

/** A call of a tool outside of any session. */
export interface ToolExecution {
  readonly tool: string;
  readonly arguments: unknown;
}

/** A request to the Streamable HTTP endpoint. */
export interface StreamableRequest {
  readonly request: Request;
  /** The JSON value of its body. */
  readonly body: unknown;
  /** The account of the key, as it was authenticated with the request. */
  readonly account: Account;
  readonly keyId: number;
  /** Identifies the client: the same for all its requests. */
  readonly client: string;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

/** A request that HTTP refuses before any method of MCP sees it. */
export interface Refusal {
  readonly status: number;
  /** See `FAILURES`. */
  readonly code: string;
  readonly detail: string;
  /** Seconds after which it may be sent again. */
  readonly retryAfter?: number;
}

/** Sessions over SSE, on all nodes. */
export interface SseSessions {
  /**
   * Opens a session and returns its stream. The first event, `endpoint`, says where to send messages:
   * `path` with the session's id. Throws TooManySessions.
   */
  open(holder: KeyHolder, path: string): Promise<AsyncIterable<Uint8Array>>;
  /** Returns the key that a session was opened with. Throws SessionNotFound. */
  find(sessionId: string): Promise<{ readonly keyId: number; readonly accountId: number }>;
  /**
   * Sends a message to a session, whose stream brings the response. Throws MalformedMessage,
   * SessionNotFound, SessionBusy.
   */
  post(sessionId: string, message: unknown): Promise<void>;
  /** Sends a message to a session's client, where the session is open. */
  reply(sessionId: string, message: object): Promise<void>;
  /**
   * Ends the streams of this node: nothing more can be posted to them, and each ends once the calls
   * on it are answered, or after `graceMs`.
   */
  close(graceMs: number): Promise<void>;
}

export interface McpPort extends SseSessions {
  /** Returns the server's description of itself. */
  manifest(account: Account): object;
  /** Runs one tool. Throws InvalidInput for an unknown tool and wrong arguments, and what the tool throws. */
  execute(
    services: Services,
    account: Account,
    execution: ToolExecution,
    signal: AbortSignal,
  ): Promise<object>;
  /** Answers a request to the Streamable HTTP endpoint. Throws MalformedMessage. */
  streamable(asked: StreamableRequest): Promise<Response>;
  /** Returns the id of the request that a body's JSON value is, or was meant to be; else null. */
  requestIdOf(body: unknown): RequestId | null;
  /** Returns the JSON-RPC response to a call that HTTP refuses because of `error`; `id` is null where unknown. */
  refusalMessage(error: unknown, id: RequestId | null, refusal: Refusal): object;
}
