/** One HTTP request to a URL from an untrusted caller, and its errors. */
import http, { type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import packageFile from "../../package.json" with { type: "json" };
import { type ConnectGuard, NoAddress } from "./connect-guard.ts";

/** The text is not a URL that this service would request. */
export class InvalidUrl extends Error {
  override readonly name = "InvalidUrl";
  readonly expected: string;
  readonly received: string;
  constructor(expected: string, received: string) {
    super(`expected ${expected}, got ${received}`);
    this.expected = expected;
    this.received = received;
  }
}

/** The server cannot or must not be reached, or sent no usable response. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** The address is one that may not be reached. */
export class Refused extends Unreachable {}

/** The body is, or is announced to be, larger than the limit. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/** The queue of fetches is full. */
export class FetcherBusy extends Error {
  override readonly name = "FetcherBusy";
  readonly waiting: number;
  constructor(waiting: number) {
    super(`${waiting} fetches are waiting already`);
    this.waiting = waiting;
  }
}

/**
 * Parses a URL to request, relative to `from`. The URL parser also normalises the spellings of IPv4
 * addresses (2130706433, 0x7f.1). Throws InvalidUrl for an invalid URL, for another scheme than http
 * or https, and for a URL with credentials.
 */
export function parseHttpUrl(text: string, from?: URL): URL {
  const expected = "an http:// or https:// address";
  const url = URL.parse(text, from);
  if (!url) throw new InvalidUrl(expected, "no address");
  if (!/^https?:$/.test(url.protocol)) throw new InvalidUrl(expected, `one with ${url.protocol}`);
  if (url.username || url.password) {
    throw new InvalidUrl("an address without a user name and password", "one with them");
  }
  // The trailing dot of a fully qualified name is for resolvers; certificates do not contain it.
  url.hostname = url.hostname.replace(/\.$/, "");
  return url;
}

const USER_AGENT = `orbifold/${packageFile.version}`;

/** Headers and body of a request; with a body it is a POST. */
export interface HttpRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/**
 * Sends one request on a new connection and resolves with the response when its headers have
 * arrived. The caller reads or destroys it. Throws the socket's errors, with a `code`; any error
 * after `signal` aborts.
 */
export async function sendRequest(
  url: URL,
  { headers, body }: HttpRequest,
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
    // A new agent: no keep-alive, and no proxy from the environment.
    agent: false,
    lookup: guard.lookup,
    // Explicit, so that no option of the process changes them. The first makes the socket try all
    // addresses from `lookup` in turn.
    autoSelectFamily: true,
    rejectUnauthorized: true,
    signal,
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { request } = url.protocol === "https:" ? https : http;
  request(options)
    .on("response", resolve)
    .on("error", reject)
    // A protocol upgrade closes the connection with neither event.
    .on("close", () => reject(Object.assign(new Error("no answer"), { code: "ECONNRESET" })))
    .end(body);
  return promise;
}

/** Initial buffer size without Content-Length. */
const FIRST_BYTES = 64 * 1024;

/**
 * Reads the body of a response, undecoded, into one growing buffer, whose size does not depend on
 * the number of chunks. Throws BodyTooLarge as soon as more than `maximumBytes` are announced or
 * received, and ECONNRESET for an incomplete body.
 */
export async function readBody(
  response: IncomingMessage,
  maximumBytes: number,
): Promise<Uint8Array> {
  const announced = Number(response.headers["content-length"] ?? 0);
  if (announced > maximumBytes) throw new BodyTooLarge();
  let bytes = Buffer.alloc(announced || Math.min(FIRST_BYTES, maximumBytes));
  let filled = 0;
  for await (const chunk of response) {
    const end = filled + chunk.length;
    if (end > maximumBytes) throw new BodyTooLarge();
    if (end > bytes.length) {
      const grown = Buffer.alloc(Math.min(Math.max(end, bytes.length * 2), maximumBytes));
      bytes.copy(grown, 0, 0, filled);
      bytes = grown;
    }
    chunk.copy(bytes, filled);
    filled = end;
  }
  return bytes.subarray(0, filled);
}

/**
 * Runs `work` with a signal that aborts with `signal` and after `ms`. Throws the signal's reason,
 * Unreachable after the time limit, and otherwise the errors of `work`.
 */
export async function withTimeLimit<Result>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const clock = new AbortController();
  const timer = setTimeout(() => {
    clock.abort(new Unreachable(`no complete response came within ${ms / 1000} seconds`));
  }, ms);
  const either = AbortSignal.any([signal, clock.signal]);
  try {
    return await work(either);
  } catch (error) {
    // An abort causes various errors; the signal's reason is the one to report.
    either.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Messages for error codes of Node's sockets, TLS and HTTP parser; the first match counts. */
const MESSAGES: readonly [code: RegExp, words: string][] = [
  [/^ENOTFOUND$/, "leads to no public address"],
  [/^EAI_/, "could not be resolved"],
  [/^ECONNREFUSED$/, "refused the connection"],
  [/^(ECONNRESET|EPIPE|HPE_INVALID_EOF_STATE)$/, "closed the connection"],
  [/^HPE_HEADER_OVERFLOW$/, "sent too large headers"],
  [/^HPE_/, "sent malformed HTTP"],
  [/^(EPROTO|ERR_SSL_)/, "failed in the TLS handshake"],
  // https://nodejs.org/api/tls.html#x509-certificate-error-codes
  [
    /CERT|UNABLE_TO_VERIFY|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME/,
    "has no valid TLS certificate",
  ],
  // Other errors of system calls.
  [/^E[A-Z]+$/, "cannot be reached"],
];

/**
 * Returns Unreachable with a message for a network error of a request to `host`; other errors
 * unchanged.
 */
export function toUnreachable(error: unknown, host: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const words = MESSAGES.find(([pattern]) => pattern.test(code))?.[1];
  const Kind = error instanceof NoAddress ? Refused : Unreachable;
  return words ? new Kind(`${host} ${words}`, { cause: error }) : error;
}
