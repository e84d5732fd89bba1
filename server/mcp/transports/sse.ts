/**
 * MCP over HTTP with SSE (protocol 2024-11-05). A session is a stream and a server on one node; its
 * messages arrive by POST on any node.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CancelledNotificationSchema,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { SessionBusy, SessionNotFound, TooManySessions } from "../../actions/errors.ts";
import type { Log } from "../../actions/log.ts";
import type { SseSessions } from "../../actions/mcp-port.ts";
import { measure } from "../../actions/measurements.ts";
import type { McpListener, McpNode, Services } from "../../actions/services.ts";
import { keyHolder } from "../caller.ts";
import { requireMessage } from "../message.ts";
import { attachPicture, detachPicture, picturesInFlight } from "../message-pictures.ts";
import { INVALID_REQUEST, RpcError } from "../rpc-error.ts";
import { rpcErrorOf } from "../rpc-failure.ts";
import { createMcpServer } from "../server.ts";
import { createEventStream } from "./event-stream.ts";

/** Maximum number of sessions of a key on all nodes. */
const SESSIONS_PER_KEY = 20;

/** Limits of a session's messages that wait for its node. */
const WAITING = { messages: 256, bytes: 32 * 1024 * 1024 };

const ID_IN_USE = "malformed_request: a request with this id is not answered yet";

/** Half the time after which a node counts as dead. */
const RENEW_MS = 15_000;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The stream of a session on this node. */
interface OpenStream {
  readonly keyId: number;
  /** Handles a message from the client. */
  deliver(text: string, attachment: Uint8Array | null): void;
  /** Sends a message to the client. */
  reply(message: string): void;
  /** Ends the stream once all calls on it are answered. */
  finish(): void;
  close(): void;
  /** Settles when the stream has ended. */
  readonly ended: Promise<void>;
}

/**
 * Joins this process to the sessions of all nodes.
 * @param calls is notified of calls outside of sessions
 */
export async function joinSseSessions(
  services: Services,
  log: Log,
  calls: Pick<McpListener, "callCancelled" | "keyRevoked">,
): Promise<SseSessions> {
  const { mcpSessions } = services.db;
  const streams = new Map<string, OpenStream>();
  let isClosed = false;
  const renew = async () => {
    // Sessions that counted as dead meanwhile are gone: their clients have to notice.
    for (const id of await node.renew()) streams.get(id)?.close();
  };
  const node = await mcpSessions.join({
    message: (id, text, attachment) => streams.get(id)?.deliver(text, attachment),
    reply: (id, message) => streams.get(id)?.reply(message),
    callCancelled: calls.callCancelled,
    keyRevoked(keyId) {
      for (const stream of [...streams.values()]) if (stream.keyId === keyId) stream.close();
      calls.keyRevoked(keyId);
    },
  });
  const renewal = setInterval(() => {
    renew().catch((error) => log.error({ error }, "MCP sessions could not be renewed"));
  }, RENEW_MS);
  renewal.unref();

  const finishStreams = async (graceMs: number) => {
    await node.retire().catch((error) => log.error({ error }, "MCP sessions could not be ended"));
    const ending = [...streams.values()].map((stream) => {
      stream.finish();
      return stream.ended;
    });
    await Promise.race([Promise.all(ending), delay(graceMs, undefined, { ref: false })]);
  };

  return {
    async open({ keyId, account }, path) {
      const id = await node.open({ keyId, accountId: account.id, atMost: SESSIONS_PER_KEY });
      if (!id) throw new TooManySessions(SESSIONS_PER_KEY);
      const caller = keyHolder(services, keyId, false);
      const server = createMcpServer({ services, transport: "sse", caller, log });
      const pending = new Set<RequestId>();
      const pictures = picturesInFlight(services, account);
      let isFinishing = false;
      const settle = (call: RequestId) => {
        pending.delete(call);
        pictures.release(call);
        if (isFinishing && pending.size === 0) stream.close();
      };
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const stream = createEventStream(() => {
        streams.delete(id);
        measure("sessions", { open: streams.size });
        pictures.releaseAll();
        end();
        transport.onclose?.();
        leave(node, id, log);
      });
      const transport: Transport = {
        async start() {
          stream.send("endpoint", `${path}?session_id=${id}`);
        },
        async send(message) {
          stream.send("message", JSON.stringify(message));
          if (isResponse(message)) settle(message.id);
        },
        async close() {
          stream.close();
        },
      };
      streams.set(id, {
        keyId,
        deliver(text, attachment) {
          const message = attachPicture(text, attachment);
          if (isJSONRPCRequest(message)) {
            try {
              // A call and its bytes are released by its id.
              if (pending.has(message.id)) throw new RpcError(ID_IN_USE, { code: INVALID_REQUEST });
              if (attachment) pictures.take(message.id, attachment.byteLength);
            } catch (error) {
              const { code, message: text, data } = rpcErrorOf(error, { services, log });
              const refusal = {
                jsonrpc: "2.0",
                id: message.id,
                error: { code, message: text, data },
              };
              return stream.send("message", JSON.stringify(refusal));
            }
            pending.add(message.id);
          }
          transport.onmessage?.(message);
          // Cancelled requests get no response.
          const cancelled = CancelledNotificationSchema.safeParse(message).data?.params.requestId;
          if (cancelled !== undefined) settle(cancelled);
        },
        reply: (message) => stream.send("message", message),
        finish() {
          isFinishing = true;
          if (pending.size === 0) stream.close();
        },
        close: stream.close,
        ended,
      });
      measure("sessions", { open: streams.size });
      await server.connect(transport);
      if (isClosed) stream.close();
      return stream.bytes;
    },

    async find(id) {
      const session = UUID.test(id) ? await mcpSessions.find(id) : null;
      if (!session) throw new SessionNotFound();
      return { keyId: session.key_id, accountId: session.account_id };
    },

    async post(id, message) {
      const { text, attachment } = detachPicture(requireMessage(message));
      const outcome = await mcpSessions.post(id, text, attachment, WAITING);
      if (outcome === "gone") throw new SessionNotFound();
      if (outcome === "full") throw new SessionBusy(WAITING.messages);
    },

    async reply(id, message) {
      // A closed session cannot be reached.
      if (UUID.test(id)) await mcpSessions.reply(id, JSON.stringify(message), WAITING);
    },

    async close(graceMs) {
      isClosed = true;
      clearInterval(renewal);
      if (graceMs > 0 && streams.size > 0) await finishStreams(graceMs);
      for (const stream of [...streams.values()]) stream.close();
      await node.leave();
    },
  };
}

function isResponse(
  message: JSONRPCMessage,
): message is JSONRPCMessage & { readonly id: RequestId } {
  return "id" in message && message.id !== undefined && !("method" in message);
}

function leave(node: McpNode, id: string, log: Log): void {
  node.close(id).catch((error) => log.error({ error }, "an MCP session could not be closed"));
}
