/**
 * Which addresses belong to the public Internet, after the IANA special-purpose address registries:
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 *
 * Blocks that hold a few globally reachable addresses among others (192.0.0.0/24, 2001::/23) are
 * left out whole: no picture lies there.
 */
import { type AddressSet, addressSet } from "./address-set.ts";

/**
 * What is given out as unicast at all. In IPv6 that is an eighth of it; outside lie the mapped and
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

/** Whether an address is a public one of a single machine. */
export const isPublic: AddressSet = (address) => isUnicast(address) && !isSpecial(address);
