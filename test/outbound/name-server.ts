/** A DNS server on this machine, and a lookup that uses it. */

import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { isIP } from "node:net";
import { createUDPServer, Packet } from "dns2";
import type { Test } from "tap";
import type { Resolve } from "../../server/outbound/connect-guard.ts";

/** The records of a name: addresses, a server failure, or a server that does not respond. */
type Records = readonly string[] | "failure" | "silence";

export interface NameServer {
  readonly resolve: Resolve;
  /** The names that were queried, once for each query for IPv4 addresses. */
  readonly asked: readonly string[];
  /** Sets the records of a name from now on. */
  set(name: string, records: Records): void;
}

const CODES: Readonly<Record<string, string>> = { ENODATA: "ENOTFOUND", ESERVFAIL: "EAI_AGAIN" };

/** Starts a name server with the records until the test ends. Other names do not exist. */
export async function nameServer(t: Test, zone: Record<string, Records>): Promise<NameServer> {
  const records = new Map(Object.entries(zone));
  const asked: string[] = [];
  const server = createUDPServer((request, send) => {
    const [question] = request.questions;
    if (!question) return;
    const { name, type } = question;
    if (type === Packet.TYPE.A) asked.push(name);
    const found = records.get(name) ?? null;
    if (found === "silence") return;
    const answer = Packet.createResponseFromRequest(request);
    if (found === "failure") answer.header.rcode = Packet.RCODE.SERVFAIL;
    else if (found === null) answer.header.rcode = Packet.RCODE.NXDOMAIN;
    else {
      const family = type === Packet.TYPE.A ? 4 : 6;
      for (const address of found.filter((one) => isIP(one) === family)) {
        answer.answers.push({ name, type, class: Packet.CLASS.IN, ttl: 0, address } as never);
      }
    }
    send(answer);
  });
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => server.close());
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  t.teardown(() => resolver.cancel());

  const addressesOf = async (hostname: string) => {
    const families = await Promise.all([
      resolver.resolve4(hostname).then((found) => found.map((address) => ({ address, family: 4 }))),
      // A name may have addresses of only one family.
      resolver.resolve6(hostname).then(
        (found) => found.map((address) => ({ address, family: 6 })),
        () => [],
      ),
    ]);
    return families.flat();
  };
  return {
    asked,
    set: (name, found) => records.set(name, found),
    resolve: (hostname) =>
      addressesOf(hostname).catch(({ code }) => {
        // The error of getaddrinfo.
        throw Object.assign(new Error(`${hostname}: ${code}`), { code: CODES[code] ?? code });
      }),
  };
}
