/**
 * Keeps sockets away from addresses that are not permitted. A name is looked up once for each
 * connection, by the socket itself, and what it gets to see of the answer are the permitted
 * addresses only; so the one that was checked is the one it connects to.
 */
import { ADDRCONFIG, type LookupAddress } from "node:dns";
import { lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { addressSet } from "./address-set.ts";
import { isPublic } from "./public-addresses.ts";

/** All addresses of a host name. Rejects with an error that has a `code`, as `getaddrinfo` does. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface ConnectGuard {
  /** Throws NoAddress for an IP address that is not permitted: sockets look up names only. */
  checkLiteral(hostname: string): void;
  /** For the socket. Fails with NoAddress where a name has no permitted address. */
  readonly lookup: LookupFunction;
}

/**
 * Nothing that may be connected to. Told like a name that does not exist, lest a stranger learns
 * which names exist inside.
 */
class NoAddress extends Error {
  override readonly name = "NoAddress";
  readonly code = "ENOTFOUND";
}

const bySystem: Resolve = (hostname) => systemLookup(hostname, { all: true, hints: ADDRCONFIG });

/** A guard that permits public addresses and those in the CIDR ranges `allow`. */
export function createConnectGuard(
  allow: readonly string[],
  resolve: Resolve = bySystem,
): ConnectGuard {
  const isAllowed = addressSet(allow);
  const isPermitted = (address: string) => isPublic(address) || isAllowed(address);
  return {
    checkLiteral(hostname) {
      if (isIP(hostname) !== 0 && !isPermitted(hostname)) throw new NoAddress(hostname);
    },
    lookup(hostname, _options, callback) {
      resolve(hostname).then(
        (addresses) => {
          const permitted = addresses.filter(({ address }) => isPermitted(address));
          const error = permitted.length === 0 ? new NoAddress(hostname) : null;
          callback(error, permitted);
        },
        (error: NodeJS.ErrnoException) => callback(error, []),
      );
    },
  };
}
