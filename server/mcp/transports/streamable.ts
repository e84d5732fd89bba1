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

  /** How many of each key are being opened. */
  const opening = new Map<number, number>();

  /**
   * Takes a place for a session that is being opened, so that those who come meanwhile find it taken;
   * where there is none left, that of the session that was used longest ago. Throws TooManySessions.
   */
  const takePlace = async (keyId: number) => {
    const held = [...sessions].filter(([, session]) => session.keyId === keyId);
    const begun = opening.get(keyId) ?? 0;
    if (held.length + begun >= SESSIONS_PER_KEY) {
      const [stalest] = held.toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
      if (!stalest || Date.now() - stalest[1].usedAt < YIELDING_MS) {
        throw new TooManySessions(SESSIONS_PER_KEY);
      }
      sessions.delete(stalest[0]);
      opening.set(keyId, begun + 1);
      await stalest[1].transport.close().catch(() => undefined);
    } else opening.set(keyId, begun + 1);
  };
  const leavePlace = (keyId: number) => {
    const left = (opening.get(keyId) ?? 0) - 1;
    if (left > 0) opening.set(keyId, left);
    else opening.delete(keyId);
  };

  const open = async (keyId: number) => {
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
      await takePlace(keyId);
      try {
        const transport = await open(keyId);
        const response = await transport.handleRequest(request, options);
        // What did not begin with `initialize` has begun nothing.
        if (!transport.sessionId) await transport.close();
        return response;
      } finally {
        leavePlace(keyId);
      }
    },
    async close() {
      clearInterval(sweep);
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
    },
  };
}
