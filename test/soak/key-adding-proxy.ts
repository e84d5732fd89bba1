/** For clients that cannot send a header of their own. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Test } from "tap";
import { portOf } from "../helpers/port-of.ts";

/**
 * Starts a proxy that adds an API key to requests and changes nothing else: `Host` and `Origin` are
 * forwarded. Requests share the keys evenly.
 * @param target the service's URL
 * @returns the proxy's URL
 */
export async function keyAddingProxy(
  t: Test,
  target: string,
  keys: readonly string[],
): Promise<string> {
  let forwarded = 0;

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const key = keys[forwarded++ % keys.length];
    const onwards = request(new URL(incoming.url ?? "/", target), {
      method: incoming.method,
      headers: { ...incoming.headers, "x-api-key": key },
    });
    onwards.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      // A stream's reader waits for the head before anything is sent.
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    onwards.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onwards.destroy());
    incoming.pipe(onwards);
  };

  const proxy = createServer(forward);
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  t.teardown(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${portOf(proxy)}`;
}
