/** One HTTP request to an address that a stranger gave, and what can go wrong with it. */
import http, { type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";
import packageFile from "../../package.json" with { type: "json" };
import type { ConnectGuard } from "./connect-guard.ts";

/** The text is no address that this service would ask. */
export class BadTarget extends Error {
  override readonly name = "BadTarget";
  readonly expected: string;
  readonly received: string;
  constructor(expected: string, received: string) {
    super(`expected ${expected}, got ${received}`);
    this.expected = expected;
    this.received = received;
  }
}

/** The other side cannot or must not be reached, or gave no answer that is of use. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** More bytes came, or were announced, than were asked for. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/** More fetches wait than may. */
export class FetcherBusy extends Error {
  override readonly name = "FetcherBusy";
  readonly waiting: number;
  constructor(waiting: number) {
    super(`${waiting} fetches are waiting already`);
    this.waiting = waiting;
  }
}

/**
 * Reads the address of something to ask for, relative to the one that led there. The URL parser
 * also brings the many spellings of an IPv4 address (2130706433, 0x7f.1) into the usual one.
 * Throws BadTarget for what is no address, has another scheme than http or https, or holds a password.
 */
export function readTarget(text: string, from?: URL): URL {
  const expected = "an http:// or https:// address";
  const url = URL.parse(text, from);
  if (!url) throw new BadTarget(expected, "no address");
  if (!/^https?:$/.test(url.protocol)) throw new BadTarget(expected, `one with ${url.protocol}`);
  if (url.username || url.password) {
    throw new BadTarget("an address without a user name and password", "one with them");
  }
  // The dot at the end of a fully qualified name is for resolvers; certificates do not have it.
  url.hostname = url.hostname.replace(/\.$/, "");
  return url;
}

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

/** To begin with, where no length is announced. */
const FIRST_BYTES = 64 * 1024;

/**
 * The body of an answer as it came, undecoded. Grows in one piece, so that a body of crumbs takes
 * no more memory than another. Throws BodyTooLarge as soon as more than `maximumBytes` are
 * announced or have come, and ECONNRESET where the body breaks off.
 */
export async function readBody(
  response: IncomingMessage,
  maximumBytes: number,
): Promise<Uint8Array> {
  const announced = Number(response.headers["content-length"] ?? 0);
  if (announced > maximumBytes) throw new BodyTooLarge();
  let bytes = Buffer.alloc(announced || Math.min(FIRST_BYTES, maximumBytes));
  let filled = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
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
 * Runs `work` with a signal that aborts when `signal` does and when `ms` are over. Throws what it
 * aborted with, Unreachable for the time, and otherwise what `work` throws.
 */
export async function withTimeLimit<Result>(
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const clock = new AbortController();
  const timer = setTimeout(() => {
    clock.abort(new Unreachable(`no complete answer came within ${ms / 1000} seconds`));
  }, ms);
  const either = AbortSignal.any([signal, clock.signal]);
  try {
    return await work(either);
  } catch (error) {
    // An abort breaks work off in many ways, and only the reason tells why.
    either.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** What error codes of Node's sockets, TLS and HTTP parser say about the other side; the first that fits. */
const WORDS: readonly [code: RegExp, words: string][] = [
  [/^ENOTFOUND$/, "leads to no public address"],
  [/^EAI_/, "could not be resolved"],
  [/^ECONNREFUSED$/, "refused the connection"],
  [/^(ECONNRESET|EPIPE|HPE_INVALID_EOF_STATE)$/, "broke off the connection"],
  [/^HPE_HEADER_OVERFLOW$/, "sent too large headers"],
  [/^HPE_/, "did not answer in proper HTTP"],
  [/^(EPROTO|ERR_SSL_)/, "failed in the TLS handshake"],
  // https://nodejs.org/api/tls.html#x509-certificate-error-codes
  [
    /CERT|UNABLE_TO_VERIFY|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME/,
    "has no valid TLS certificate",
  ],
  // The rest of what a system call answers.
  [/^E[A-Z]+$/, "cannot be reached"],
];

/** The error of a request to `host` in words for a caller; one that is not the other side's as it is. */
export function explain(error: unknown, host: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const words = WORDS.find(([pattern]) => pattern.test(code))?.[1];
  return words ? new Unreachable(`${host} ${words}`, { cause: error }) : error;
}
