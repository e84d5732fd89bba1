/** An HTTP server around the application: its socket, requests that are none, and a gentle end. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type Koa from "koa";
import { MalformedRequest, RequestTimeout } from "./errors.ts";
import { problemOf } from "./problem.ts";

export interface ConnectionLimits {
  /** Connections at once; further ones are closed at once. */
  readonly maxConnections: number;
  /** How long a request may take to arrive, its body included. */
  readonly requestTimeoutMs: number;
  /** How long its head may take; by default 20 seconds. */
  readonly headersTimeoutMs?: number;
}

/** How often connections are looked at for both. */
const CHECK_MS = 5000;

/**
 * How long a connection may stay open unused: longer than proxies keep theirs (60 s), which would else
 * send requests into connections that are being closed.
 */
const IDLE_MS = 75_000;

export interface Listening {
  readonly port: number;
  /**
   * From now on every response closes its connection, so that whoever keeps connections open, a proxy
   * say, opens the next one elsewhere. Requests are still answered.
   */
  closeAfterResponses(): void;
  /**
   * Takes no new connections and waits for the responses that are under way, and for requests on
   * connections that have just been opened; what is not done after `graceMs` is cut off.
   */
  drain(graceMs: number): Promise<void>;
}

/**
 * Listens on an address; port 0 takes a free one. `appAt` makes the application, which may want to
 * know the port. Throws what it throws, and the system's error where listening fails.
 */
export async function listen(
  appAt: (port: number) => Koa | Promise<Koa>,
  host: string,
  port: number,
  { maxConnections, requestTimeoutMs, headersTimeoutMs = 20_000 }: ConnectionLimits,
): Promise<Listening> {
  const server = createServer({
    // What lacks a Host gets a problem as everything else does, see `requireHost`.
    requireHostHeader: false,
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    connectionsCheckingInterval: Math.min(CHECK_MS, headersTimeoutMs, requestTimeoutMs),
    keepAliveTimeout: IDLE_MS,
  });
  server.maxConnections = maxConnections;
  const connections = watchExchanges(server);
  let closesConnections = false;
  server.on("request", (_, response) => {
    if (closesConnections) closeAfter(response);
  });
  server.on("clientError", (error, socket) => {
    endGarbled(error, socket as Socket, connections.get(socket as Socket)?.exchanges);
  });
  const { promise: app, resolve, reject } = Promise.withResolvers<RequestListener>();
  // Who comes before the application is there waits for it.
  server.on("request", async (request, response) => (await app)(request, response));
  server.listen(port, host);
  await once(server, "listening");
  try {
    resolve((await appAt(portOf(server))).callback());
  } catch (error) {
    reject(error);
    server.close();
    throw error;
  }
  const closeAfterResponses = () => {
    closesConnections = true;
    for (const { exchanges } of connections.values()) {
      for (const { response } of exchanges) closeAfter(response);
    }
  };
  return {
    port: portOf(server),
    closeAfterResponses,
    async drain(graceMs) {
      closeAfterResponses();
      // Connections that wait to be accepted would be reset: right after the event loop has looked for
      // them there are none.
      await setImmediate();
      // Not the HTTP server's own close: it destroys connections whose answer has been handed over
      // but has not left yet. Ending a socket lets what was written leave first.
      const closed = new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => resolve());
      });
      const endIdle = () => {
        for (const [socket, { exchanges, awaitsFirstUntil }] of connections) {
          if (exchanges.size === 0 && performance.now() >= awaitsFirstUntil) socket.end();
        }
      };
      endIdle();
      const sweep = setInterval(endIdle, 100);
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  /** The requests that are being answered. */
  readonly exchanges: Set<Exchange>;
  /** Until when its first request may come before it counts as idle. */
  awaitsFirstUntil: number;
}

/** Whoever opens a connection to send a request does so within this. */
const FIRST_REQUEST_MS = 1000;

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}

function watchExchanges(server: Server): ReadonlyMap<Socket, Connection> {
  const connections = new Map<Socket, Connection>();
  server.on("connection", (socket: Socket) => {
    const awaitsFirstUntil = performance.now() + FIRST_REQUEST_MS;
    connections.set(socket, { exchanges: new Set(), awaitsFirstUntil });
    socket.once("close", () => connections.delete(socket));
  });
  server.on("request", (request, response) => {
    const connection = connections.get(request.socket);
    if (!connection) return;
    const exchange = { request, response };
    connection.exchanges.add(exchange);
    connection.awaitsFirstUntil = 0;
    response.once("close", () => connection.exchanges.delete(exchange));
  });
  return connections;
}

/**
 * Ends a connection on which came what is no HTTP. Whoever waits for an answer to a whole request
 * before it gets that first; in the middle of an answer nothing more is said.
 */
function endGarbled(
  error: NodeJS.ErrnoException,
  socket: Socket,
  exchanges: ReadonlySet<Exchange> = new Set(),
): void {
  const waiting = [...exchanges];
  // Nobody is there to be told anything.
  if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
  else if (waiting.length > 0 && waiting.every(({ request }) => request.complete)) {
    const last = waiting.at(-1)?.response;
    last?.once("close", () => socket.end());
  } else if (waiting.some(({ response }) => response.headersSent)) {
    socket.destroy();
  } else {
    answerGarbage(error, socket);
  }
}

function faultOf({ code, message }: NodeJS.ErrnoException): Error {
  return code === "ERR_HTTP_REQUEST_TIMEOUT"
    ? new RequestTimeout("the request did not arrive in time")
    : new MalformedRequest(`this is no HTTP: ${message}`);
}

/** What cannot be parsed as HTTP gets its problem too, and the connection ends. */
function answerGarbage(error: Error, socket: Duplex): void {
  const requestId = randomUUID();
  const { body } = problemOf(faultOf(error), { requestId });
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${body.status} ${STATUS_CODES[body.status]}`,
    "Connection: close",
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${requestId}`,
    "X-Content-Type-Options: nosniff",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`);
}
