/** Fetches from addresses that strangers give, without reaching what is not meant for them. */
import type { IncomingMessage } from "node:http";
import PQueue from "p-queue";
import { createConnectGuard, type Resolve } from "./connect-guard.ts";
import {
  ask,
  BadTarget,
  explain,
  FetcherBusy,
  readBody,
  readTarget,
  Unreachable,
  withTimeLimit,
} from "./http-request.ts";

/** Each may hold a whole body in memory. */
const AT_ONCE = 8;
const WAITING = 32;

const MAX_REDIRECTS = 5;
const TOTAL_MS = 10_000;

const QUESTION = {
  headers: {
    Accept: "image/*, */*;q=0.5",
    // Nothing is unpacked here: a small answer could unpack to a huge one.
    "Accept-Encoding": "identity",
  },
};

export interface FetcherOptions {
  /** CIDR ranges that may be reached although they are not public. */
  readonly allow: readonly string[];
  /** The only hosts that are asked, see `hostFilter`; empty: any. */
  readonly allowedHosts: readonly string[];
  /** Left out: the system's. */
  readonly resolve?: Resolve;
  /** For all of a fetch together, from the first lookup to the last byte. Left out: 10 s. */
  readonly totalMs?: number;
}

export interface FetchOptions {
  readonly maximumBytes: number;
  /** Ends the fetch, waiting or running. */
  readonly signal: AbortSignal;
}

export interface Fetcher {
  /**
   * The body that a GET of a target (see `readTarget`) gives, at most 5 redirects on. No answer but
   * 200 counts, and what it says of its type is left aside. Throws Unreachable, BodyTooLarge,
   * FetcherBusy, and what `signal` aborts with.
   */
  fetch(target: URL, options: FetchOptions): Promise<Uint8Array>;
}

/** A fetcher that works on 8 fetches at once; 32 more wait for their turn. */
export function createFetcher({
  allow,
  allowedHosts,
  resolve,
  totalMs = TOTAL_MS,
}: FetcherOptions): Fetcher {
  const guard = createConnectGuard(allow, resolve);
  const isAllowed = hostFilter(allowedHosts);
  const queue = new PQueue({ concurrency: AT_ONCE });

  /** One hop: the body, or where to look next. */
  const hop = async (url: URL, maximumBytes: number, signal: AbortSignal) => {
    if (!isAllowed(url.hostname)) {
      throw new Unreachable(`${url.host} is not among the hosts that may be asked here`);
    }
    let response: IncomingMessage | undefined;
    try {
      response = await ask(url, QUESTION, guard, signal);
      const next = redirectOf(response, url);
      if (next) return next;
      checkAnswer(response, url);
      return await readBody(response, maximumBytes);
    } catch (error) {
      throw explain(error, url.host);
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

function checkAnswer({ statusCode, headers }: IncomingMessage, { host }: URL): void {
  if (statusCode !== 200) throw new Unreachable(`${host} answered ${statusCode}`);
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    throw new Unreachable(`${host} answered in a compressed form, which was not asked for`);
  }
}

/** Whether a host, as a URL writes it, may be asked. */
export type HostFilter = (hostname: string) => boolean;

/**
 * Lets through the hosts of a list, where `*.example.com` stands for all below `example.com` but
 * not for itself. An empty list lets all through.
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
 * Where an answer to a GET of `url` sends its reader, or null where it does not. Throws Unreachable
 * for a target that is none, and for one that gives up the protection of https.
 */
function redirectOf(response: IncomingMessage, url: URL): URL | null {
  const { location } = response.headers;
  if (!REDIRECT_STATUSES.has(response.statusCode ?? 0) || location === undefined) return null;
  // Node reads headers as Latin-1; an address with other characters is sent in UTF-8.
  const target = readLocation(Buffer.from(location, "latin1").toString(), url);
  if (url.protocol === "https:" && target.protocol === "http:") {
    throw new Unreachable(`${url.host} redirected from https to http`);
  }
  return target;
}

function readLocation(location: string, url: URL): URL {
  try {
    return readTarget(location, url);
  } catch (error) {
    if (!(error instanceof BadTarget)) throw error;
    throw new Unreachable(`${url.host} redirected elsewhere than to ${error.expected}`, {
      cause: error,
    });
  }
}
