/** A closed loop: each client sends its next request after the response to its last one. */
import { quantile } from "./statistics.ts";

export interface Load {
  /** Responses a second, over the whole loop. */
  readonly rate: number;
  /** Milliseconds until the complete response. */
  readonly median: number;
  readonly p95: number;
}

/**
 * Sends all requests from `clients` concurrent clients.
 * @param send resolves with the complete response; an error ends the loop
 */
export async function closedLoop<Request>(
  requests: readonly Request[],
  clients: number,
  send: (request: Request) => Promise<unknown>,
): Promise<Load> {
  const waiting = requests.values();
  const latencies: number[] = [];
  const start = performance.now();
  const client = async () => {
    for (const request of waiting) {
      const sent = performance.now();
      await send(request);
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - start) / 1000;
  return {
    rate: requests.length / seconds,
    median: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
  };
}
