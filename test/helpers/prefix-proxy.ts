/** A proxy that serves a service under a path, as a shop's web server would. */
import { createServer, request } from "node:http";
import type { Test } from "tap";
import { portOf } from "./port-of.ts";
import { testServer } from "./server.ts";

export interface PrefixProxy {
  /** The service's URL, without a trailing slash. */
  readonly url: string;
  /** Sets the service to forward to, without the prefix. */
  forwardTo(target: string): void;
}

/** Starts a proxy for a prefix such as `/patterns`; other paths return 404. */
async function prefixProxy(t: Test, prefix: string): Promise<PrefixProxy> {
  let target = "";
  const proxy = createServer((incoming, outgoing) => {
    const path = incoming.url ?? "/";
    if (!path.startsWith(`${prefix}/`)) {
      outgoing.writeHead(404).end();
      return;
    }
    const { method, headers } = incoming;
    const onwards = request(new URL(path.slice(prefix.length), target), { method, headers });
    onwards.on("response", (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      outgoing.flushHeaders();
      response.pipe(outgoing);
    });
    onwards.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onwards.destroy());
    incoming.pipe(onwards);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  t.teardown(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return {
    url: `http://127.0.0.1:${portOf(proxy)}${prefix}`,
    forwardTo: (address) => {
      target = address;
    },
  };
}

/** A server behind such a proxy. */
export async function underPrefix(t: Test) {
  const proxy = await prefixProxy(t, "/patterns");
  const server = await testServer(t, { publicUrl: proxy.url });
  proxy.forwardTo(server.url);
  return { publicUrl: proxy.url, server };
}
