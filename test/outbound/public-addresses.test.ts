/** Which addresses count as public: both ends of each special block, and their neighbours. */
import t from "tap";
import { isPublic } from "../../server/outbound/connect-guard.ts";
import { fetchText, unreachable } from "./test-servers.ts";

/** First and last address of refused blocks, then public neighbours if there are any. */
const BLOCKS: readonly [title: string, first: string, last: string, ...neighbours: string[]][] = [
  ["this network", "0.0.0.0", "0.255.255.255", "1.0.0.0"],
  ["private 10", "10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
  ["carriers", "100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
  ["loopback", "127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
  ["Azure's host", "168.63.129.16", "168.63.129.16", "168.63.129.15", "168.63.129.17"],
  ["link-local", "169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
  ["private 172", "172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
  ["protocol assignments", "192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"],
  ["documentation 1", "192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"],
  ["6to4 relays", "192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"],
  ["private 192", "192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
  ["benchmarks", "198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
  ["documentation 2", "198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"],
  ["documentation 3", "203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"],
  ["multicast", "224.0.0.0", "239.255.255.255", "223.255.255.255"],
  ["reserved, broadcast", "240.0.0.0", "255.255.255.255"],
  ["unspecified", "::", "::"],
  ["loopback 6", "::1", "::1"],
  ["IPv4-compatible", "::8.8.8.8", "::ffff:ffff"],
  ["IPv4-mapped", "::ffff:0.0.0.0", "::ffff:255.255.255.255"],
  ["IPv4-mapped public", "::ffff:8.8.8.8", "::ffff:808:808"],
  ["NAT64", "64:ff9b::", "64:ff9b::ffff:ffff"],
  ["local NAT64", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
  ["discard", "100::", "100::ffff:ffff:ffff:ffff"],
  ["below unicast", "100:0:0:1::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2000::"],
  ["Teredo", "2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"],
  [
    "protocol assignments 6",
    "2001::",
    "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
    "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:200::",
  ],
  [
    "documentation 6",
    "2001:db8::",
    "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:db9::",
  ],
  [
    "6to4",
    "2002::",
    "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "2003::",
  ],
  [
    "documentation 7",
    "3fff::",
    "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
    "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "3fff:1000::",
  ],
  [
    "above unicast",
    "4000::",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
  ],
  ["segment routing", "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["unique local", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["link-local 6", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["site-local", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["multicast 6", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
];

const urlOf = (address: string) =>
  address.includes(":") ? `http://[${address}]/` : `http://${address}/`;

for (const [title, first, last, ...neighbours] of BLOCKS) {
  t.test(`${title}: blocks ${first} to ${last}`, async (t) => {
    for (const address of new Set([first, last])) {
      t.notOk(isPublic(address), address);
      await t.rejects(
        fetchText(urlOf(address), { allow: [] }),
        unreachable(/leads to no public address$/),
        `${address} as a literal`,
      );
    }
    for (const address of neighbours) t.ok(isPublic(address), `${address} is public`);
  });
}

t.test("well-known public addresses are public", async (t) => {
  for (const address of ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2620:fe::fe"]) {
    t.ok(isPublic(address), address);
  }
});

t.test("invalid addresses are not public", async (t) => {
  for (const text of ["", "example.com", "8.8.8", "8.8.8.8/32", "fe80::1%eth0", "[2606::1]"]) {
    t.notOk(isPublic(text), JSON.stringify(text));
  }
});
