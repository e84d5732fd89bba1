/** Requests in number from autocannon, and what came back. */
import { setTimeout as pause } from "node:timers/promises";
import autocannon, { type Request } from "autocannon";
import { quantile } from "./statistics.ts";

export interface Salvo {
  readonly url: string;
  /** Each connection sends them in turn, again and again. */
  readonly requests: readonly Request[];
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second of all connections together; left out, each sends as soon as it is answered. */
  readonly rate?: number;
}

export interface Echo {
  readonly seconds: number;
  /** Milliseconds until each answer was there, by its status. */
  readonly latencies: ReadonlyMap<number, readonly number[]>;
  /** Connections that broke and requests that nobody answered within 30 seconds. */
  readonly unanswered: number;
}

/**
 * Cannons that share a rate, each begun a little after the one before: autocannon sends what it may
 * send in a second at that second's beginning, and customers do not come all at once.
 */
const CANNONS = 20;

/** Fires a salvo and waits for its end. */
export async function fire(salvo: Salvo): Promise<Echo> {
  const { connections, rate } = salvo;
  if (rate === undefined) return fireOne(salvo);
  const share = {
    ...salvo,
    connections: Math.ceil(connections / CANNONS),
    rate: Math.ceil(rate / CANNONS),
  };
  const echoes = await Promise.all(
    Array.from({ length: CANNONS }, async (_, cannon) => {
      await pause((1000 * cannon) / CANNONS);
      return fireOne(share);
    }),
  );
  const statuses = new Set(echoes.flatMap(({ latencies }) => [...latencies.keys()]));
  const all = (status: number) => echoes.flatMap(({ latencies }) => latencies.get(status) ?? []);
  return {
    seconds: Math.max(...echoes.map(({ seconds }) => seconds)),
    latencies: new Map([...statuses].map((status) => [status, all(status)])),
    unanswered: echoes.reduce((sum, { unanswered }) => sum + unanswered, 0),
  };
}

async function fireOne({ url, requests, connections, seconds, rate }: Salvo): Promise<Echo> {
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

/** Answers a second of a status, and the 95th percentile of their milliseconds (NaN for none). */
export function answersOf({ latencies, seconds }: Echo, status: number) {
  const list = latencies.get(status) ?? [];
  return {
    rate: list.length / seconds,
    p95: list.length === 0 ? Number.NaN : quantile(list, 0.95),
  };
}
