/** An HTTP server for the application: its socket, malformed requests, and graceful shutdown. */
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
import {
  type AddressInfo,
  createServer as createNetServer,
  Server as NetServer,
  type Socket,
} from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { MalformedRequest, RequestTimeout } from "./errors.ts";
import { problemOf } from "./problem.ts";

export interface ConnectionLimits {
  /** Maximum number of connections; further ones are closed immediately. */
  readonly maxConnections: number;
  /** Time limit of a request's arrival, its body included. */
  readonly requestTimeoutMs: number;
  /** Time limit of the arrival of a request's headers; default: 20 seconds. */
  readonly headersTimeoutMs?: number;
}

/** Interval at which both limits are checked. */
const CHECK_MS = 5000;

/**
 * How long an idle connection stays open: longer than proxies keep theirs (60 s), which would
 * otherwise send requests on connections that are being closed.
 */
const IDLE_MS = 75_000;

/** An application: Koa's, or what else handles requests. */
interface App {
  callback(): RequestListener;
}

export interface Listening {
  readonly port: number;
  /**
   * From now on every response closes its connection, so that proxies with persistent connections
   * reconnect elsewhere. Requests are still served.
   */
  closeAfterResponses(): void;
  /**
   * Accepts no new connections and waits for responses in progress and for requests on new
   * connections; closes the rest after `graceMs`.
   */
  drain(graceMs: number): Promise<void>;
}

/**
 * Listens on an address; port 0 selects a free one. `appAt` creates the application for the port.
 * Throws its errors, and the system's error if listening fails.
 */
export async function listen(
  appAt: (port: number) => App | Promise<App>,
  host: string,
  port: number,
  { maxConnections, requestTimeoutMs, headersTimeoutMs = 20_000 }: ConnectionLimits,
): Promise<Listening> {
  const server = createServer({
    // A missing Host header is reported as a problem, see `requireHost`.
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
    endAfterParseError(error, socket, connections.get(socket)?.exchanges);
  });
  const { promise: app, resolve, reject } = Promise.withResolvers<RequestListener>();
  // Requests that arrive before the application exists wait for it.
  server.on("request", (request, response) => {
    app.then(
      (handle) => handle(request, response),
      () => undefined,
    );
  });
  server.listen(port, host);
  await once(server, "listening");
  try {
    resolve((await appAt(portOf(server))).callback());
  } catch (error) {
    // A rejection that no request waits for would end the process.
    app.catch(() => undefined);
    reject(error);
    server.close();
    // `close` leaves those that have sent nothing yet, without a time limit.
    server.closeAllConnections();
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
      const end = performance.now() + graceMs;
      const closed = once(server, "close");
      await closeWhenIdle(server, Math.min(IDLE_TURN_WAIT_MS, graceMs / 2));
      const endIdle = () => {
        for (const [socket, { exchanges, awaitsFirstUntil }] of connections) {
          if (exchanges.length === 0 && performance.now() >= awaitsFirstUntil) socket.end();
        }
      };
      endIdle();
      const sweep = setInterval(endIdle, 100);
      const cut = setTimeout(
        () => server.closeAllConnections(),
        Math.max(0, end - performance.now()),
      );
      await closed;
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}

/** A turn of the event loop within this many milliseconds ran nothing else. */
const IDLE_TURN_MS = 0.02;

/** How long to wait for an idle turn; a busy process may have none. */
const IDLE_TURN_WAIT_MS = 1000;

/**
 * Closes a server's socket right after a turn of the event loop in which it had no connection to accept
 * and nothing else ran, or after `waitMs`: the system resets connections that have arrived and are not
 * accepted when the socket closes.
 */
async function closeWhenIdle(server: Server, waitMs: number): Promise<void> {
  // Functions are compiled when they are first called, which takes longer than a turn.
  closeSocket(createNetServer());
  // Ends the current turn: it may have asked for connections already.
  await setImmediate();
  let accepted = 0;
  server.on("connection", () => accepted++);
  const end = performance.now() + waitMs;
  for (;;) {
    const start = performance.now();
    accepted = 0;
    await setImmediate();
    const now = performance.now();
    if ((accepted === 0 && now - start < IDLE_TURN_MS) || now > end) {
      closeSocket(server);
      return;
    }
  }
}

/**
 * Not the HTTP server's close, which destroys connections whose response is written but not yet sent.
 * Ending a socket flushes it first.
 */
function closeSocket(server: NetServer): void {
  NetServer.prototype.close.call(server);
}

/** Returns the port that a server listens on. */
export const portOf = (server: Server) => (server.address() as AddressInfo).port;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  /** Requests in progress, in an array: a `Set` would keep old ones, see `ShortLivedMap`. */
  readonly exchanges: Exchange[];
  /** Time until which a new connection without a request does not count as idle. */
  awaitsFirstUntil: number;
}

/** Time within which a new connection sends its first request. */
const FIRST_REQUEST_MS = 1000;

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}

function watchExchanges(server: Server): ReadonlyMap<Duplex, Connection> {
  const connections = new Map<Duplex, Connection>();
  server.on("connection", (socket: Socket) => {
    const awaitsFirstUntil = performance.now() + FIRST_REQUEST_MS;
    connections.set(socket, { exchanges: [], awaitsFirstUntil });
    socket.once("close", () => connections.delete(socket));
  });
  server.on("request", (request, response) => {
    const connection = connections.get(request.socket);
    if (!connection) return;
    const { exchanges } = connection;
    const exchange = { request, response };
    exchanges.push(exchange);
    connection.awaitsFirstUntil = 0;
    response.once("close", () => exchanges.splice(exchanges.indexOf(exchange), 1));
  });
  return connections;
}

/**
 * Reports a parse error and closes the connection. Responses to complete requests are flushed first;
 * in the middle of a response nothing is added.
 */
function endAfterParseError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  waiting: readonly Exchange[] = [],
): void {
  // The client has disconnected.
  if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
  else if (waiting.length > 0 && waiting.every(({ request }) => request.complete)) {
    const last = waiting.at(-1)?.response;
    last?.once("close", () => {
      if (socket.writable) respondToMalformedRequest(error, socket);
    });
  } else if (waiting.some(({ response }) => response.headersSent)) {
    socket.destroy();
  } else {
    respondToMalformedRequest(error, socket);
  }
}

function faultOf({ code, message }: NodeJS.ErrnoException): Error {
  return code === "ERR_HTTP_REQUEST_TIMEOUT"
    ? new RequestTimeout("the request did not arrive in time")
    : new MalformedRequest(`malformed HTTP: ${message}`);
}

/** Sends a problem for what cannot be parsed as HTTP, and closes the connection. */
function respondToMalformedRequest(error: Error, socket: Duplex): void {
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
