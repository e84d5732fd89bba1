/** An HTTP server around the application: its socket, requests that are none, and a gentle end. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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

/** Listens on an address; port 0 takes a free one. Throws the system's error where that fails. */
export async function listen(app: Koa, host: string, port: number): Promise<Listening> {
  const server = createServer(app.callback());
  server.on("clientError", answerGarbage);
  server.listen(port, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async drain(graceMs) {
      const closed = new Promise((resolve) => server.close(resolve));
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      // Closing a server ends its idle connections; the busy ones become idle one by one.
      const sweep = setInterval(() => server.closeIdleConnections(), 100);
      await closed;
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}

/** What cannot be parsed as HTTP gets its problem too, and the connection ends. */
function answerGarbage(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
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
