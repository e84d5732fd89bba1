/** Fetches URLs from untrusted callers without reaching internal addresses. */
import type { IncomingMessage } from "node:http";
import PQueue from "p-queue";
import { createConnectGuard, type Resolve } from "./connect-guard.ts";
import {
  FetcherBusy,
  InvalidUrl,
  parseHttpUrl,
  Refused,
  readBody,
  sendRequest,
  toUnreachable,
  Unreachable,
  withTimeLimit,
} from "./http-request.ts";

/** Each fetch may hold a whole body in memory. */
const AT_ONCE = 8;
const WAITING = 32;

const MAX_REDIRECTS = 5;
const TOTAL_MS = 10_000;

const REQUEST = {
  headers: {
    Accept: "image/*, */*;q=0.5",
    // Nothing is decompressed: a small response could expand to a huge one.
    "Accept-Encoding": "identity",
  },
};

export interface FetcherOptions {
  /** CIDR ranges that are permitted although they are not public. */
  readonly allow: readonly string[];
  /** Permitted hosts, see `hostFilter`; empty: any. */
  readonly allowedHosts: readonly string[];
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  /** Time limit of a fetch, from the first lookup to the last byte. Default: 10 s. */
  readonly totalMs?: number;
}

export interface FetchOptions {
  readonly maximumBytes: number;
  /** Aborts the fetch, whether it is queued or running. */
  readonly signal: AbortSignal;
}

export interface Fetcher {
  /**
   * Fetches a URL (see `parseHttpUrl`) and returns its body, following at most 5 redirects. Any
   * status but 200 is an error; Content-Type is ignored. Throws Unreachable, BodyTooLarge,
   * FetcherBusy, and the reason of `signal`.
   */
  fetch(target: URL, options: FetchOptions): Promise<Uint8Array>;
}

/** Creates a fetcher with 8 concurrent fetches and a queue of 32. */
export function createFetcher({
  allow,
  allowedHosts,
  resolve,
  totalMs = TOTAL_MS,
}: FetcherOptions): Fetcher {
  const guard = createConnectGuard(allow, resolve);
  const isAllowed = hostFilter(allowedHosts);
  const queue = new PQueue({ concurrency: AT_ONCE });

  /** Requests one URL and returns its body, or the URL that it redirects to. */
  const hop = async (url: URL, maximumBytes: number, signal: AbortSignal) => {
    if (!isAllowed(url.hostname)) {
      throw new Refused(`${url.host} is not among the allowed hosts`);
    }
    let response: IncomingMessage | undefined;
    try {
      response = await sendRequest(url, REQUEST, guard, signal);
      const next = redirectOf(response, url);
      if (next) return next;
      checkResponse(response, url);
      return await readBody(response, maximumBytes);
    } catch (error) {
      throw toUnreachable(error, url.host);
    } finally {
      response?.destroy();
    }
  };

  const follow = async (target: URL, maximumBytes: number, signal: AbortSignal) => {
    let url = target;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const found = await hop(url, maximumBytes, signal);
      if (!(found instanceof URL)) return found;
      url = found;
    }
    throw new Unreachable(`${target.host} redirected more than ${MAX_REDIRECTS} times`);
  };

  return {
    async fetch(target, { maximumBytes, signal }) {
      if (queue.size >= WAITING) throw new FetcherBusy(queue.size);
      const work = () =>
        withTimeLimit(totalMs, signal, (limit) => follow(target, maximumBytes, limit));
      return queue.add(work, { signal });
    },
  };
}

function checkResponse({ statusCode, headers }: IncomingMessage, { host }: URL): void {
  if (statusCode !== 200) throw new Unreachable(`${host} answered ${statusCode}`);
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    throw new Unreachable(`${host} sent a compressed body that was not requested`);
  }
}

/** Whether a URL's hostname is permitted. */
export type HostFilter = (hostname: string) => boolean;

/**
 * Returns a filter that permits the listed hosts; `*.example.com` matches the subdomains of
 * `example.com` but not itself. An empty list permits all.
 */
function hostFilter(names: readonly string[]): HostFilter {
  if (names.length === 0) return () => true;
  return (hostname) =>
    names.some((name) =>
      name.startsWith("*.") ? hostname.endsWith(name.slice(1)) : hostname === name,
    );
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/**
 * Returns the URL that a response to a GET of `url` redirects to; null for no redirect. Throws
 * Unreachable for an invalid target, and for one that downgrades https.
 */
function redirectOf(response: IncomingMessage, url: URL): URL | null {
  const { location } = response.headers;
  if (!REDIRECT_STATUSES.has(response.statusCode ?? 0) || location === undefined) return null;
  // Node decodes headers as Latin-1; URLs with other characters are sent in UTF-8.
  const target = readLocation(Buffer.from(location, "latin1").toString(), url);
  if (url.protocol === "https:" && target.protocol === "http:") {
    throw new Unreachable(`${url.host} redirected from https to http`);
  }
  return target;
}

function readLocation(location: string, url: URL): URL {
  try {
    return parseHttpUrl(location, url);
  } catch (error) {
    if (!(error instanceof InvalidUrl)) throw error;
    throw new Unreachable(`${url.host} redirected, but not to ${error.expected}`, {
      cause: error,
    });
  }
}
