/** Origins of shops, to which customers may be sent back. */
import { LRUCache } from "lru-cache";
import type { Database } from "../../db/index.ts";

/** How soon a change of an account's `return_origins` takes effect. */
const REMEMBERED_MS = 10_000;

/** How many unlisted origins a network may have looked up in that time. */
const UNLISTED = 30;

/**
 * Returns a function that looks up whether any account lists an origin among its `return_origins`, and
 * remembers the result for some seconds. Whoever asks comes without credentials: a network that names
 * many origins that nobody lists is told of further ones that they are not listed, without a look-up.
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
    // Before it is known, or else all that come at once would be looked up.
    count(network, 1);
    const isListed = (await known.fetch(origin)) ?? false;
    if (isListed) count(network, -1);
    return isListed;
  };
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
