/** MCP over Streamable HTTP, without sessions: each request has its own server, on any node. */
import { createHash } from "node:crypto";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CancelledNotificationSchema,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { MESSAGE_BYTES } from "../../actions/in-flight.ts";
import type { Log } from "../../actions/log.ts";
import type { McpPort } from "../../actions/mcp-port.ts";
import type { McpListener, Services } from "../../actions/services.ts";
import { requireMessage } from "../message.ts";
import { createMcpServer } from "../server.ts";

export interface StreamableCalls extends Pick<McpListener, "callCancelled" | "keyRevoked"> {
  readonly handle: McpPort["streamable"];
}

/** A call that is not answered yet. */
interface OpenCall {
  readonly keyId: number;
  readonly name: string;
  /** Ends the call without a response. */
  cancel(): void;
}

/** The calls of this process. */
export function createStreamableCalls(services: Services, log: Log): StreamableCalls {
  const open = new Set<OpenCall>();
  const callsOf = (keyId: number) => [...open].filter((call) => call.keyId === keyId);

  return {
    async handle({ request, body, account, keyId, client, signal }) {
      // The SDK would accept a batch, which would count as one request.
      const message = requireMessage(body);
      const cancelled = cancelledBy(message);
      if (cancelled !== undefined) {
        await services.db.mcpSessions.cancelCall(keyId, nameOf(client, cancelled));
        return new Response(null, { status: 202 });
      }

      const transport = new WebStandardStreamableHTTPServerTransport({
        maxRequestBodySize: MESSAGE_BYTES,
      });
      const caller = { authenticate: async () => account };
      const server = createMcpServer({ services, transport: "http", caller, log });
      await server.connect(transport);
      const id = "method" in message && "id" in message ? message.id : undefined;
      const close = () => void server.close();
      signal.addEventListener("abort", close, { once: true });
      const call = { keyId, name: nameOf(client, id ?? ""), cancel: close };
      if (id !== undefined) open.add(call);
      server.onclose = () => {
        open.delete(call);
        signal.removeEventListener("abort", close);
      };
      const send = transport.send.bind(transport);
      transport.send = async (sent, options) => {
        await send(sent, options);
        if (!("method" in sent) && sent.id === id) await server.close();
      };
      if (signal.aborted) close();
      let isUnderWay = false;
      try {
        const response = await transport.handleRequest(request, { parsedBody: message });
        // Nothing follows a message that is not a call, or a call that the SDK refused.
        isUnderWay = id !== undefined && response.status === 200;
        return response;
      } finally {
        if (!isUnderWay) await server.close();
      }
    },

    callCancelled(keyId, name) {
      const named = callsOf(keyId).filter((call) => call.name === name);
      // Two clients may look alike and share ids: do not cancel another one's call.
      if (named.length === 1) named[0]?.cancel();
    },

    keyRevoked(keyId) {
      for (const call of callsOf(keyId)) call.cancel();
    },
  };
}

/** Returns the id of the request that a notification cancels; undefined for other messages. */
function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  return CancelledNotificationSchema.safeParse(message).data?.params.requestId;
}

/** Returns the name of a client's request among all nodes, of fixed length. */
function nameOf(client: string, id: RequestId): string {
  return createHash("sha256")
    .update(JSON.stringify([client, id]))
    .digest("base64url");
}
