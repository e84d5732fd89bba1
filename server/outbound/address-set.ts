import { BlockList, isIP } from "node:net";

/** Whether an IP address belongs. What is no address belongs to no set. */
export type AddressSet = (address: string) => boolean;

/** The addresses in ranges of CIDR notation. Throws what `BlockList` throws at others. */
export function addressSet(ranges: readonly string[]): AddressSet {
  // One list for each family: a common one takes an IPv4 address for the IPv6 one it is mapped to.
  const ipv4 = new BlockList();
  const ipv6 = new BlockList();
  for (const range of ranges) {
    const [network, prefix] = range.split("/") as [string, string];
    if (isIP(network) === 6) ipv6.addSubnet(network, Number(prefix), "ipv6");
    else ipv4.addSubnet(network, Number(prefix), "ipv4");
  }
  return (address) => {
    const family = isIP(address);
    if (family === 4) return ipv4.check(address, "ipv4");
    return family === 6 && ipv6.check(address, "ipv6");
  };
}
