/** HTTP requests to render nodes, on connections that are kept. */
import { Agent, type IncomingMessage, request as startRequest } from "node:http";
import { Overloaded } from "../../engine/index.ts";
import { traceHeaders } from "../actions/spans.ts";
import { createSingleFlight } from "../single-flight.ts";
import { CallRefused, NodeUnreachable } from "./errors.ts";
import {
  BUILD_HEADER,
  buildOf,
  CALL_PATH,
  type CallHead,
  callBody,
  SOURCE_PATH,
  STOPPING_HEADER,
} from "./protocol.ts";
import { createRecordReader, type RecordReader } from "./record-reader.ts";
import type { RenderNode } from "./render-node.ts";

/** Time limit of a connection. */
const CONNECT_MS = 2000;

/** How long a connection without a request is kept: less than nodes keep theirs. */
const IDLE_MS = 30_000;

export interface NodeClient {
  /**
   * Resolves with the records of a call once the node has taken it. Throws NodeUnreachable, CallRefused, Overloaded, and
   * what `signal` aborts with, which also ends the call later.
   */
  call(
    node: RenderNode,
    head: Omit<CallHead, "parts">,
    parts: readonly Uint8Array[],
    signal: AbortSignal,
  ): Promise<RecordReader>;
  /** Sends a source, once for all that wait for it. Throws as `call` does. */
  sendSource(
    node: RenderNode,
    sha256: string,
    bytes: Uint8Array,
    signal: AbortSignal,
  ): Promise<void>;
  /** Asks whether a node takes calls: false from one that stops. Throws as `call` does. */
  ping(node: RenderNode, signal: AbortSignal): Promise<boolean>;
  /** Ends the connections. */
  close(): void;
}

interface NodeRequest {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly body: readonly Uint8Array[];
  readonly signal: AbortSignal;
}

/**
 * @param secret of all nodes
 * @param version of the engine
 * @param takeMs longest time without progress until a node begins its response
 */
export function createNodeClient(secret: string, version: string, takeMs: number): NodeClient {
  const build = buildOf(version);
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  const sending = createSingleFlight<void>();

  /** Sends a request. Resolves with a response of success. */
  const send = async (node: RenderNode, asked: NodeRequest): Promise<IncomingMessage> => {
    for (;;) {
      asked.signal.throwIfAborted();
      const { request, answered } = start(node, asked);
      try {
        return requireSuccess(await answered);
      } catch (error) {
        asked.signal.throwIfAborted();
        // A node may close a connection that had no request just when it gets one.
        if (request.reusedSocket && CLOSED.has(codeOf(error))) continue;
        if (error instanceof Overloaded || error instanceof CallRefused) throw error;
        const { message } = error as Error;
        throw new NodeUnreachable(`${node.url}: ${message}`, { cause: error });
      }
    }
  };
  const start = (node: RenderNode, { method, path, body, signal }: NodeRequest) => {
    const { promise: answered, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const length = body.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const request = startRequest(`${node.url}${path}`, {
      method,
      agent,
      headers: {
        ...traceHeaders(),
        Authorization: `Bearer ${secret}`,
        [BUILD_HEADER]: build,
        "Content-Length": length,
      },
    });
    // Not the option `signal`, which is listened to for longer than the request lasts.
    // Without an error, for which a connection that has just become free has no listener.
    const abort = () => request.destroy();
    signal.addEventListener("abort", abort, { once: true });
    const late = (what: string) => () => request.destroy(new Error(what));
    const connecting = setTimeout(late("no connection"), CONNECT_MS);
    request.setTimeout(takeMs, late("no response"));
    request.on("socket", (socket) => {
      if (!socket.connecting) clearTimeout(connecting);
      else socket.once("connect", () => clearTimeout(connecting));
    });
    request.on("response", (response) => {
      // From now on the node says that it is alive.
      request.setTimeout(0);
      // The reader gets it, if there is one. Without a listener it would end the process.
      response.on("error", () => undefined);
      resolve(response);
    });
    request.on("error", reject);
    request.on("close", () => {
      clearTimeout(connecting);
      signal.removeEventListener("abort", abort);
      reject(Object.assign(new Error("no response"), { code: "ECONNRESET" }));
    });
    for (const piece of body) request.write(piece);
    request.end();
    return { request, answered };
  };

  return {
    async call(node, head, parts, signal) {
      const body = callBody(head, parts);
      return createRecordReader(
        await send(node, { method: "POST", path: CALL_PATH, body, signal }),
      );
    },
    sendSource(node, sha256, bytes, signal) {
      const path = `${SOURCE_PATH}${sha256}`;
      const work = async (all: AbortSignal) => {
        const response = await send(node, { method: "PUT", path, body: [bytes], signal: all });
        response.resume();
      };
      return sending.share(`${node.id} ${sha256}`, work, signal);
    },
    async ping(node, signal) {
      const response = await send(node, { method: "GET", path: CALL_PATH, body: [], signal });
      response.resume();
      return response.headers[STOPPING_HEADER] === undefined;
    },
    close: () => agent.destroy(),
  };
}

/** Codes of a connection that the other side has closed. */
const CLOSED: ReadonlySet<unknown> = new Set(["ECONNRESET", "EPIPE"]);

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : "");

/** Statuses of what is wrong with a call, see `createCallServer`. */
const REFUSED: ReadonlySet<number> = new Set([400, 411, 413, 422]);

/** Throws CallRefused and Overloaded; other errors say that the node takes no calls. */
function requireSuccess(response: IncomingMessage): IncomingMessage {
  const { statusCode = 0 } = response;
  if (statusCode >= 200 && statusCode < 300) return response;
  response.destroy();
  if (statusCode === 503) throw new Overloaded(0);
  if (REFUSED.has(statusCode)) throw new CallRefused(`a render node answered ${statusCode}`);
  throw new Error(`it answered ${statusCode}`);
}
