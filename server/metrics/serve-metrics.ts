/** The port on which Prometheus reads the metrics. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { Log } from "../actions/log.ts";
import { portOf } from "../http/listen.ts";
import type { Metrics } from "./create-metrics.ts";

/**
 * Serves `GET /metrics` on an address until it is closed; port 0 selects a free one. Throws the system's error if
 * listening fails.
 */
export async function serveMetrics(
  metrics: Metrics,
  { host, port, log }: { readonly host: string; readonly port: number; readonly log: Log },
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    if (request.url !== "/metrics" || request.method !== "GET") {
      response.writeHead(404, { "Content-Type": "text/plain" }).end("GET /metrics\n");
      return;
    }
    try {
      const text = await metrics.text();
      response.writeHead(200, { "Content-Type": metrics.contentType }).end(text);
    } catch (error) {
      log.error({ error }, "metrics could not be collected");
      response.writeHead(503, { "Content-Type": "text/plain" }).end("see the log\n");
    }
  });
  server.listen(port, host);
  await once(server, "listening");
  return {
    port: portOf(server),
    async close() {
      metrics.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
