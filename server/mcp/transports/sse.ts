/**
 * MCP over HTTP with SSE (protocol 2024-11-05). A session is a stream and a server at its end; its
 * messages come by POST, on whatever node they land.
 */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Log } from "../../actions/log.ts";
import type { Account, McpNode, Services } from "../../actions/services.ts";
import { NoSuchSession, SessionBusy, TooManySessions } from "../../actions/session-errors.ts";
import { keyHolder } from "../caller.ts";
import { readFrame, requireMessage } from "../frame.ts";
import { createMcpServer } from "../server.ts";
import { createEventStream } from "./event-stream.ts";

/** Sessions that one key may hold on all nodes. */
const SESSIONS_PER_KEY = 20;

/** Messages of one session that may wait for its node. */
const WAITING_FRAMES = 256;

/** Twice within the time after which a node counts as dead. */
const RENEW_MS = 15_000;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Who opens a session. */
export interface Holder {
  readonly keyId: number;
  readonly account: Account;
}

export interface SseSessions {
  /**
   * Opens a session. Its first event, `endpoint`, tells where to send messages: `path` with the
   * session's id. Throws TooManySessions.
   */
  open(holder: Holder, path: string): Promise<AsyncIterable<Uint8Array>>;
  /** The key that a session was opened with. Throws NoSuchSession. */
  find(id: string): Promise<{ readonly keyId: number; readonly accountId: number }>;
  /**
   * Sends a message to a session, whose stream brings the answer. Throws MalformedMessage,
   * NoSuchSession, SessionBusy.
   */
  post(id: string, message: unknown): Promise<void>;
  /** Ends the streams of this node. */
  close(): Promise<void>;
}

/** This process's part in the sessions. */
export async function joinSseSessions(services: Services, log: Log): Promise<SseSessions> {
  const { mcpSessions } = services.db;
  const streams = new Map<string, { deliver(frame: string): void; close(): void }>();
  let isClosed = false;
  const renew = async () => {
    // Streams of sessions that counted as dead meanwhile lead nowhere, and their clients are to know.
    for (const id of await node.renew()) streams.get(id)?.close();
  };
  const node = await mcpSessions.join((id, frame) => streams.get(id)?.deliver(frame));
  const renewal = setInterval(() => {
    renew().catch((error) => log({ mcp: "sessions", error }));
  }, RENEW_MS);
  renewal.unref();

  return {
    async open({ keyId, account }, path) {
      const id = await node.open({ keyId, accountId: account.id, atMost: SESSIONS_PER_KEY });
      if (!id) throw new TooManySessions(SESSIONS_PER_KEY);
      const server = createMcpServer({ services, caller: keyHolder(services, keyId, false), log });
      const stream = createEventStream(() => {
        streams.delete(id);
        transport.onclose?.();
        leave(node, id, log);
      });
      const transport: Transport = {
        async start() {
          stream.send("endpoint", `${path}?session_id=${id}`);
        },
        async send(message) {
          stream.send("message", JSON.stringify(message));
        },
        async close() {
          stream.close();
        },
      };
      streams.set(id, {
        deliver: (frame) => transport.onmessage?.(readFrame(frame)),
        close: stream.close,
      });
      await server.connect(transport);
      if (isClosed) stream.close();
      return stream.bytes;
    },

    async find(id) {
      const session = UUID.test(id) ? await mcpSessions.find(id) : null;
      if (!session) throw new NoSuchSession();
      return { keyId: session.key_id, accountId: session.account_id };
    },

    async post(id, message) {
      const frame = JSON.stringify(requireMessage(message));
      const outcome = await mcpSessions.post(id, frame, WAITING_FRAMES);
      if (outcome === "gone") throw new NoSuchSession();
      if (outcome === "full") throw new SessionBusy(WAITING_FRAMES);
    },

    async close() {
      isClosed = true;
      clearInterval(renewal);
      for (const stream of [...streams.values()]) stream.close();
      await node.leave();
    },
  };
}

function leave(node: McpNode, id: string, log: Log): void {
  node.close(id).catch((error) => log({ mcp: "sessions", error }));
}
