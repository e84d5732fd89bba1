import http, { type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import packageFile from "../../package.json" with { type: "json" };
import type { ConnectGuard } from "./connect-guard.ts";

const USER_AGENT = `orbifold/${packageFile.version}`;

/** What is asked; with a body it is a POST. */
export interface Question {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/**
 * Makes one request over a connection of its own and gives the answer as soon as its headers are
 * there. The caller reads or destroys it. Throws what the socket throws, with a `code`; where
 * `signal` aborts, any error.
 */
export async function ask(
  url: URL,
  { headers, body }: Question,
  guard: ConnectGuard,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  guard.checkLiteral(hostname);
  const length = body && { "Content-Length": String(body.byteLength) };
  const options: RequestOptions & { autoSelectFamily: true; rejectUnauthorized: true } = {
    method: body ? "POST" : "GET",
    hostname,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: { "User-Agent": USER_AGENT, ...length, ...headers },
    // A fresh agent: no connection is kept, and none goes through a proxy of the environment.
    agent: false,
    lookup: guard.lookup,
    // Said outright, so that no switch of the process changes them. The first has all addresses
    // taken from `lookup` and tried in turn.
    autoSelectFamily: true,
    rejectUnauthorized: true,
    signal,
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { request } = url.protocol === "https:" ? https : http;
  request(options)
    .on("response", resolve)
    .on("error", reject)
    // A switch to another protocol ends the connection with neither of them.
    .on("close", () => reject(Object.assign(new Error("no answer"), { code: "ECONNRESET" })))
    .end(body);
  return promise;
}
