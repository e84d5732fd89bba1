/** An HTTP server around the application: its socket, requests that are none, and a gentle end. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type Koa from "koa";
import { MalformedRequest } from "./errors.ts";
import { problemOf } from "./problem.ts";

export interface Listening {
  readonly port: number;
  /**
   * Takes no new connections and waits for the answers that are under way; what is not done
   * after `graceMs` is cut off.
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
): Promise<Listening> {
  // What lacks a Host gets a problem as everything else does, see `requireHost`.
  const server = createServer({ requireHostHeader: false });
  const connections = watchExchanges(server);
  server.on("clientError", (error, socket) => {
    endGarbled(error, socket as Socket, connections.get(socket as Socket));
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
  return {
    port: portOf(server),
    async drain(graceMs) {
      // Not the HTTP server's own close: it destroys connections whose answer has been handed over
      // but has not left yet. Ending a socket lets what was written leave first.
      const closed = new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => resolve());
      });
      const endIdle = () => {
        for (const [socket, { size }] of connections) if (size === 0) socket.end();
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

/** The requests that are being answered on each connection. */
function watchExchanges(server: Server): ReadonlyMap<Socket, ReadonlySet<Exchange>> {
  const connections = new Map<Socket, Set<Exchange>>();
  server.on("connection", (socket: Socket) => {
    connections.set(socket, new Set());
    socket.once("close", () => connections.delete(socket));
  });
  server.on("request", (request, response) => {
    const exchanges = connections.get(request.socket);
    const exchange = { request, response };
    exchanges?.add(exchange);
    response.once("close", () => exchanges?.delete(exchange));
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

/** What cannot be parsed as HTTP gets its problem too, and the connection ends. */
function answerGarbage(error: Error, socket: Duplex): void {
  const requestId = randomUUID();
  const { body } = problemOf(new MalformedRequest(`this is no HTTP: ${error.message}`), requestId);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${body.status} Bad Request`,
    "Connection: close",
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${requestId}`,
    "X-Content-Type-Options: nosniff",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`);
}
