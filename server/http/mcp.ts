/** What the HTTP side needs of MCP; the other side implements it. */
import type { Account, Services } from "../actions/services.ts";

/** Who calls with a key. */
export interface KeyHolder {
  readonly keyId: number;
  readonly account: Account;
}

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
  /** Answers a request of the Streamable HTTP transport. Throws NoSuchSession, TooManySessions. */
  streamable(request: Request, body: unknown, holder: KeyHolder): Promise<Response>;
}
