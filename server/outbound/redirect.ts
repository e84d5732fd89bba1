import type { IncomingMessage } from "node:http";
import { BadTarget, Unreachable } from "./errors.ts";
import { readTarget } from "./parse-url.ts";

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Where an answer to a GET of `url` sends its reader, or null where it does not. Throws Unreachable
 * for a target that is none, and for one that gives up the protection of https.
 */
export function redirectOf(response: IncomingMessage, url: URL): URL | null {
  const { location } = response.headers;
  if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) return null;
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
