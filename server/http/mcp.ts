/** What the HTTP side needs of MCP; the other side implements it. */
import type { Account, Services } from "../actions/services.ts";

/** The endpoint of the Streamable HTTP transport. */
export const MCP_ENDPOINT = "/api/v1/mcp";

/** Who calls with a key. */
export interface KeyHolder {
  readonly keyId: number;
  readonly account: Account;
}

/** What tells requests of a client apart. */
export type RequestId = string | number;

export interface Mcp {
  /** The server's description of itself. */
  manifest(account: Account): object;
  /** Runs one tool. Throws what actions throw. */
  execute(
    services: Services,
    account: Account,
    execution: { readonly tool: string; readonly arguments: unknown },
    signal: AbortSignal,
  ): Promise<object>;
  /** Opens a session, whose first event names `path` with its id. Throws TooManySessions. */
  open(holder: KeyHolder, path: string): Promise<AsyncIterable<Uint8Array>>;
  /** The key that a session was opened with. Throws NoSuchSession. */
  find(sessionId: string): Promise<{ readonly keyId: number; readonly accountId: number }>;
  /** Sends a message to a session. Throws MalformedMessage, NoSuchSession, SessionBusy. */
  post(sessionId: string, message: unknown): Promise<void>;
  /** Sends a message to a session's client, where the session is open. */
  reply(sessionId: string, message: object): Promise<void>;
  /** Answers a request of the Streamable HTTP transport. Throws MalformedMessage. */
  streamable(asked: {
    readonly request: Request;
    readonly body: unknown;
    readonly account: Account;
    readonly keyId: number;
    readonly client: string;
    readonly signal: AbortSignal;
  }): Promise<Response>;
  /** The id of the request that a body's JSON value is, or was meant to be; else null. */
  requestIdOf(body: unknown): RequestId | null;
  /** The protocol's answer to a call that HTTP refuses, for a reason that `error` is. */
  refusalMessage(
    error: unknown,
    id: RequestId | null,
    refusal: {
      readonly status: number;
      readonly code: string;
      readonly detail: string;
      readonly retryAfter?: number;
    },
  ): object;
}
