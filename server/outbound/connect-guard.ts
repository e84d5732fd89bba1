/**
 * Keeps sockets from connecting to addresses that are not permitted. Each connection resolves its
 * name once, in the socket's own lookup, which returns only permitted addresses: the address that
 * was checked is the one that it connects to.
 */
import { ADDRCONFIG, type LookupAddress } from "node:dns";
import { lookup as systemLookup } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";

/**
 * Resolves a host name to all its addresses. Rejects with an error that has a `code`, as
 * `getaddrinfo` does.
 */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface ConnectGuard {
  /** Throws NoAddress for an IP address that is not permitted: sockets resolve names only. */
  checkLiteral(hostname: string): void;
  /**
   * Whether a URL's hostname is an IP address, or `localhost`, in the ranges `allow`; null for
   * other names.
   */
  isAllowed(hostname: string): boolean | null;
  /** Whether a hostname is a permitted address; null for a name that is resolved later. */
  isPermitted(hostname: string): boolean | null;
  /** Lookup function for sockets. Fails with NoAddress if a name has no permitted address. */
  readonly lookup: LookupFunction;
}

/**
 * There is no permitted address. Reported like an unknown name, so that internal names stay secret.
 */
export class NoAddress extends Error {
  override readonly name = "NoAddress";
  readonly code = "ENOTFOUND";
}

const bySystem: Resolve = (hostname) => systemLookup(hostname, { all: true, hints: ADDRCONFIG });

/** Creates a guard that permits public addresses and those in the CIDR ranges `allow`. */
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
 * Returns the addresses of a hostname that need no lookup: IP addresses, and `localhost` with its
 * subdomains (RFC 6761, section 6.3); null for other names.
 */
function literalAddresses(hostname: string): readonly string[] | null {
  if (/(^|\.)localhost$/.test(hostname)) return ["127.0.0.1", "::1"];
  const address = hostname.replace(/^\[|\]$/g, "");
  return isIP(address) === 0 ? null : [address];
}

/** Whether an IP address is in the set; false for anything else. */
type AddressSet = (address: string) => boolean;

/** Returns the set of addresses in CIDR ranges. Throws the errors of `BlockList`. */
function addressSet(ranges: readonly string[]): AddressSet {
  // One list for each family: a shared one would treat an IPv4 address as the IPv6 one it is mapped
  // to.
  const ipv4 = new BlockList();
  const ipv6 = new BlockList();
  for (const range of ranges) {
    const [network = "", prefix] = range.split("/");
    if (isIP(network) === 6) ipv6.addSubnet(network, Number(prefix), "ipv6");
    else ipv4.addSubnet(network, Number(prefix), "ipv4");
  }
  return (address) => {
    const family = isIP(address);
    if (family === 4) return ipv4.check(address, "ipv4");
    return family === 6 && ipv6.check(address, "ipv6");
  };
}

/*
 * Which addresses belong to the public Internet, after the IANA special-purpose address registries:
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 *
 * Blocks that hold a few globally reachable addresses among others (192.0.0.0/24, 2001::/23) are
 * left out whole: no picture is served from there.
 */

/**
 * Allocated unicast addresses. In IPv6 that is an eighth of the space; outside are the mapped and
 * compatible IPv4 addresses, NAT64 (64:ff9b::/96, 64:ff9b:1::/48), discard (100::/64), SRv6 SIDs
 * (5f00::/16), unique local (fc00::/7), link-local (fe80::/10), site-local (fec0::/10) and
 * multicast (ff00::/8).
 */
const UNICAST = ["0.0.0.0/0", "2000::/3"];

const SPECIAL = [
  "0.0.0.0/8", // this network, RFC 791
  "10.0.0.0/8", // private use, RFC 1918
  "100.64.0.0/10", // shared address space of carriers, RFC 6598
  "127.0.0.0/8", // loopback, RFC 1122
  "168.63.129.16/32", // answered by the host under a machine in Azure: public by its number only
  "169.254.0.0/16", // link-local, RFC 3927; metadata of most clouds
  "172.16.0.0/12", // private use, RFC 1918
  "192.0.0.0/24", // IETF protocol assignments, RFC 6890
  "192.0.2.0/24", // documentation, RFC 5737
  "192.88.99.0/24", // 6to4 relays, RFC 7526
  "192.168.0.0/16", // private use, RFC 1918
  "198.18.0.0/15", // benchmarks, RFC 2544
  "198.51.100.0/24", // documentation, RFC 5737
  "203.0.113.0/24", // documentation, RFC 5737
  "224.0.0.0/4", // multicast, RFC 1112
  "240.0.0.0/4", // reserved, RFC 1112; ends with limited broadcast
  "2001::/23", // IETF protocol assignments, RFC 2928; begins with Teredo, RFC 4380
  "2001:db8::/32", // documentation, RFC 3849
  "2002::/16", // 6to4, RFC 3056: an IPv4 address in disguise
  "3fff::/20", // documentation, RFC 9637
];

const isUnicast = addressSet(UNICAST);
const isSpecial = addressSet(SPECIAL);

/** Whether an address is public and unicast. */
export const isPublic: AddressSet = (address) => isUnicast(address) && !isSpecial(address);
