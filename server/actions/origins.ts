/** Origins of shops that customers may be sent back to. */
import { LRUCache } from "lru-cache";
import type { Database } from "../../db/index.ts";

/** Time after which a change of an account's `return_origins` takes effect. */
const REMEMBERED_MS = 10_000;

/** Maximum number of unlisted origins that a network may look up in that time. */
const UNLISTED = 30;

/**
 * Returns a function that looks up whether any account lists an origin in `return_origins`, with a
 * short-lived cache. Callers are unauthenticated: for a network with many unlisted origins further
 * ones count as unlisted without a query.
 */
export function createOriginLookup(
  db: Pick<Database, "accounts">,
): (origin: string, network: string) => Promise<boolean> {
  const known = new LRUCache<string, boolean>({
    max: 1000,
    ttl: REMEMBERED_MS,
    fetchMethod: (origin) => db.accounts.isReturnOrigin(origin),
  });
  const unlisted = new LRUCache<string, number>({
    max: 10_000,
    ttl: REMEMBERED_MS,
    noUpdateTTL: true,
  });
  const count = (network: string, more: number) =>
    unlisted.set(network, (unlisted.get(network) ?? 0) + more);
  return async (origin, network) => {
    const remembered = known.get(origin);
    if (remembered !== undefined) return remembered;
    if ((unlisted.get(network) ?? 0) >= UNLISTED) return false;
    // Before the result is known: otherwise all concurrent requests would be looked up.
    count(network, 1);
    const isListed = (await known.fetch(origin)) ?? false;
    if (isListed) count(network, -1);
    return isListed;
  };
}

/** Whether a hostname is loopback. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Whether customers may be sent to a URL: https, or http on this machine. */
export function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

/** Whether a text is such an origin. */
export function isReturnOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.origin === text && isSafe(url);
}
