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
  /**
   * Whether a host, as a URL writes it, is an IP address, or `localhost`, in the ranges `allow`; null
   * where it is neither.
   */
  isAllowed(hostname: string): boolean | null;
  /** Whether it is one that may be connected to; null where it is a name, to be looked up later. */
  isPermitted(hostname: string): boolean | null;
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
  const judge = (hostname: string, accepts: (address: string) => boolean) =>
    literalAddresses(hostname)?.some(accepts) ?? null;
  return {
    isAllowed: (hostname) => judge(hostname, isAllowed),
    isPermitted: (hostname) => judge(hostname, isPermitted),
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

/**
 * The addresses that a host, as a URL writes it, stands for without any look-up: those of IP addresses
 * and of `localhost` with all below it (RFC 6761, section 6.3); null for other names.
 */
function literalAddresses(hostname: string): readonly string[] | null {
  if (/(^|\.)localhost$/.test(hostname)) return ["127.0.0.1", "::1"];
  const address = hostname.replace(/^\[|\]$/g, "");
  return isIP(address) === 0 ? null : [address];
}
