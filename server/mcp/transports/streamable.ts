/** MCP over Streamable HTTP: the SDK's transport, one for each session, kept while it is used. */
import { randomUUID } from "node:crypto";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Log } from "../../actions/log.ts";
import { MESSAGE_BYTES } from "../../actions/message-size.ts";
import type { Services } from "../../actions/services.ts";
import { NoSuchSession, TooManySessions } from "../../actions/session-errors.ts";
import { keyHolder } from "../caller.ts";
import { requireMessage } from "../frame.ts";
import { createMcpServer } from "../server.ts";
import type { Holder } from "./sse.ts";

/** Sessions that one key may hold on this node. */
const SESSIONS_PER_KEY = 20;

/** A session that nobody has used for so long is closed, */
const IDLE_MS = 30 * 60 * 1000;

/** and one that nobody has used for so long makes room where its key opens another: few clients take leave. */
const YIELDING_MS = 60 * 1000;
const SWEEP_MS = 60 * 1000;

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly keyId: number;
  usedAt: number;
}

export interface StreamableSessions {
  /** Answers a request to the endpoint. Throws MalformedMessage, NoSuchSession, TooManySessions. */
  handle(request: Request, body: unknown, holder: Holder): Promise<Response>;
  close(): Promise<void>;
}

/** The sessions of this process. */
export function createStreamableSessions(services: Services, log: Log): StreamableSessions {
  const sessions = new Map<string, Session>();
  const sweep = setInterval(() => {
    for (const { transport, usedAt } of sessions.values()) {
      if (Date.now() - usedAt > IDLE_MS) transport.close().catch(() => undefined);
    }
  }, SWEEP_MS);
  sweep.unref();

  const makeRoom = async (keyId: number) => {
    const held = [...sessions.values()].filter((session) => session.keyId === keyId);
    if (held.length < SESSIONS_PER_KEY) return;
    const [stalest] = held.toSorted((a, b) => a.usedAt - b.usedAt);
    if (Date.now() - stalest.usedAt < YIELDING_MS) throw new TooManySessions(SESSIONS_PER_KEY);
    await stalest.transport.close();
  };

  const open = async (keyId: number) => {
    await makeRoom(keyId);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, { transport, keyId, usedAt: Date.now() });
      },
      maxRequestBodySize: MESSAGE_BYTES,
    });
    const server = createMcpServer({ services, caller: keyHolder(services, keyId, false), log });
    await server.connect(transport);
    server.onclose = () => {
      if (transport.sessionId) sessions.delete(transport.sessionId);
    };
    return transport;
  };

  return {
    async handle(request, body, { keyId }) {
      const id = request.headers.get("mcp-session-id");
      // The SDK would take a batch, which counts as one request however much it asks for.
      const options = body === undefined ? {} : { parsedBody: requireMessage(body) };
      if (id !== null) {
        const session = sessions.get(id);
        if (session?.keyId !== keyId) throw new NoSuchSession();
        session.usedAt = Date.now();
        return session.transport.handleRequest(request, options);
      }
      const transport = await open(keyId);
      const response = await transport.handleRequest(request, options);
      // What did not begin with `initialize` has begun nothing.
      if (!transport.sessionId) await transport.close();
      return response;
    },
    async close() {
      clearInterval(sweep);
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
    },
  };
}
