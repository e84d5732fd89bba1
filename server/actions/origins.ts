/** Origins of shops, to which customers may be sent back. */
import { LRUCache } from "lru-cache";
import type { Database } from "../../db/index.ts";

/** How soon a change of an account's `return_origins` takes effect. */
const REMEMBERED_MS = 10_000;

/**
 * Returns a function that looks up whether any account lists an origin among its `return_origins`, and
 * remembers the result for some seconds.
 */
export function createOriginLookup(
  db: Pick<Database, "accounts">,
): (origin: string) => Promise<boolean> {
  const known = new LRUCache<string, boolean>({
    max: 1000,
    ttl: REMEMBERED_MS,
    fetchMethod: (origin) => db.accounts.isReturnOrigin(origin),
  });
  return async (origin) => (await known.fetch(origin)) ?? false;
}

/** This machine, as an address names it. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Whether customers may be sent there at all: https, or http on the same machine. */
export function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

/** Whether a text is such an origin, and nothing more. */
export function isReturnOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.origin === text && isSafe(url);
}
