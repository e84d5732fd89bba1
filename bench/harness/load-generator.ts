/** HTTP load by autocannon, with latencies by status. */
import { setTimeout as pause } from "node:timers/promises";
import autocannon, { type Request } from "autocannon";
import { quantile } from "./statistics.ts";

export interface LoadOptions {
  readonly url: string;
  /** Each connection sends them in turn, repeatedly. */
  readonly requests: readonly Request[];
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second of all connections together; by default each sends after every response. */
  readonly rate?: number;
}

export interface LoadResult {
  readonly seconds: number;
  /** Milliseconds until each response, by its status. */
  readonly latencies: ReadonlyMap<number, readonly number[]>;
  /** Connections that broke and requests without a response within 30 seconds. */
  readonly unanswered: number;
}

/**
 * Generators that share a rate, started one after the other: autocannon sends the requests of a second
 * at its start, while those of many clients are spread over it.
 */
const GENERATORS = 20;

/** Sends requests for `seconds`; resolves when the last response has arrived. */
export async function generateLoad(options: LoadOptions): Promise<LoadResult> {
  const { connections, rate } = options;
  if (rate === undefined) return runAutocannon(options);
  const share = {
    ...options,
    connections: Math.ceil(connections / GENERATORS),
    rate: Math.ceil(rate / GENERATORS),
  };
  const results = await Promise.all(
    Array.from({ length: GENERATORS }, async (_, generator) => {
      await pause((1000 * generator) / GENERATORS);
      return runAutocannon(share);
    }),
  );
  const statuses = new Set(results.flatMap(({ latencies }) => [...latencies.keys()]));
  const all = (status: number) => results.flatMap(({ latencies }) => latencies.get(status) ?? []);
  return {
    seconds: Math.max(...results.map(({ seconds }) => seconds)),
    latencies: new Map([...statuses].map((status) => [status, all(status)])),
    unanswered: results.reduce((sum, { unanswered }) => sum + unanswered, 0),
  };
}

async function runAutocannon(load: LoadOptions): Promise<LoadResult> {
  const { url, requests, connections, seconds, rate } = load;
  const latencies = new Map<number, number[]>();
  const start = performance.now();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const options = {
      url,
      requests: [...requests],
      connections,
      duration: seconds,
      timeout: 30,
      ...(rate === undefined ? {} : { overallRate: rate }),
    };
    const instance = autocannon(options, (error, done) => (error ? reject(error) : resolve(done)));
    instance.on("response", (_client, status, _bytes, milliseconds) => {
      const list = latencies.get(status) ?? [];
      list.push(milliseconds);
      latencies.set(status, list);
    });
  });
  const { errors, timeouts } = result;
  return {
    seconds: (performance.now() - start) / 1000,
    latencies,
    unanswered: errors + timeouts,
  };
}

/** Responses a second with a status, and the 95th percentile of their milliseconds (NaN for none). */
export function summariseStatus({ latencies, seconds }: LoadResult, status: number) {
  const list = latencies.get(status) ?? [];
  return {
    rate: list.length / seconds,
    p95: list.length === 0 ? Number.NaN : quantile(list, 0.95),
  };
}
