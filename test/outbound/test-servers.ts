/** Servers that represent external ones, on this machine. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createRawServer, type Server, type Socket } from "node:net";
import type { Test } from "tap";
import { createFetcher, type FetcherOptions, parseHttpUrl } from "../../server/outbound/index.ts";
import { portOf } from "../helpers/port-of.ts";

export interface ExternalServer {
  readonly port: number;
  readonly url: string;
  /** Number of connections that were made to it. */
  connections(): number;
}

/**
 * Lets a server listen until the test ends. The test then waits until all its connections are
 * closed, and fails by its time limit if the other side leaves one open.
 */
async function open(
  t: Test,
  server: Server,
  scheme: string,
  place: Place,
): Promise<ExternalServer> {
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    socket.on("error", () => undefined);
  });
  server.listen(place.port ?? 0, place.host ?? "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => new Promise((resolve) => server.close(resolve)));
  const port = portOf(server);
  return { port, url: `${scheme}://127.0.0.1:${port}`, connections: () => connections };
}

interface Place {
  readonly host?: string;
  readonly port?: number;
}

/** An HTTP server. */
export function httpServer(
  t: Test,
  listener: RequestListener,
  place: Place = {},
): Promise<ExternalServer> {
  return open(t, createServer(listener), "http", place);
}

/** An HTTPS server with a certificate and its key in one PEM text. */
export function tlsServer(
  t: Test,
  pem: string,
  listener: RequestListener,
): Promise<ExternalServer> {
  return open(t, createTlsServer({ cert: pem, key: pem }, listener), "https", {});
}

/** A server with full control of the connection, after a request. */
export function rawServer(t: Test, answer: (socket: Socket) => void): Promise<ExternalServer> {
  const server = createRawServer((socket) => {
    socket.once("data", () => answer(socket));
    socket.on("error", () => undefined);
  });
  return open(t, server, "http", {});
}

/** Responds with the headers of each request, and stores them. */
export function echo(): { seen: IncomingHttpHeaders[]; listener: RequestListener } {
  const seen: IncomingHttpHeaders[] = [];
  return {
    seen,
    listener: (request, response) => {
      seen.push(request.headers);
      response.end(`at ${request.headers.host} ${request.url}`);
    },
  };
}

export interface Fetching extends Partial<FetcherOptions> {
  readonly maximumBytes?: number;
  readonly signal?: AbortSignal;
}

/** Fetches a URL as text; 127.0.0.1 is allowed unless stated otherwise. */
export async function fetchText(address: string, fetching: Fetching = {}): Promise<string> {
  const { maximumBytes = 1000, signal = new AbortController().signal, ...options } = fetching;
  const fetcher = createFetcher({ allow: ["127.0.0.1/32"], allowedHosts: [], ...options });
  const bytes = await fetcher.fetch(parseHttpUrl(address), { maximumBytes, signal });
  return Buffer.from(bytes).toString();
}

/** The message of an Unreachable. */
export const unreachable = (message: string | RegExp) => ({ name: "Unreachable", message });
