/**
 * Ten times more renders over HTTP than the server can make; its throughput should stay the same.
 */
import type { Request } from "autocannon";
import { plainDesign } from "../../engine/recipe/index.ts";
import { type BenchCase, type PreparedCase, WrongResult } from "../harness/case.ts";
import { generateLoad, type LoadResult, summariseStatus } from "../harness/load-generator.ts";
import { onServer } from "../harness/on-server.ts";
import { parsePositive } from "../harness/parse-number.ts";
import { forgetPeak, processFigures } from "../harness/process-figures.ts";
import { photoLike } from "../pictures/photo-like.ts";
import { asUpload } from "./in-thread-engine.ts";

const SIZE = 512;
const TIMES_TOO_MANY = 10;
/** Enough to send more while the server's queue is full. */
const CONNECTIONS = 400;
const CLIENTS_AT_PEAK = 16;
const PEAK_SECONDS = 10;
/** Until memory includes what these connections and waiting requests need. */
const FILLING_SECONDS = 20;
/** A key may make 600 requests a minute. */
const KEYS = 500;

const SECONDS = process.env.OVERLOAD_SECONDS ?? "60";

export const overload: BenchCase = {
  name: "overload",
  title: `Distinct PNG sheets of ${SIZE}² over HTTP for ${SECONDS} s (OVERLOAD_SECONDS), ${TIMES_TOO_MANY} times as many as are made at the peak`,
  scope: "service",
  fairness: `The peak is that of a closed loop of ${CLIENTS_AT_PEAK} clients for ${PEAK_SECONDS} s just before. autocannon sends from the same cores, in twenty small bursts a second, and lacks the connections that wait. Memory is that of the server's process alone: what it grows by in that time, after ${FILLING_SECONDS} s of as many requests before, and what it has in the end over the moment after the peak.`,
  metrics: [
    { name: "goodput", unit: "% of the peak", better: "higher" },
    { name: "refused", unit: "ms p95 of 503", better: "lower" },
    { name: "growth", unit: "MB grown", better: "lower" },
    { name: "highest", unit: "MB more at most", better: "lower" },
    { name: "overPeak", unit: "MB over the peak's", better: "lower" },
    { name: "offered", unit: "times the peak", better: "higher" },
    { name: "peak", unit: "peak sheets/s", better: "higher" },
  ],
  targets: [
    { metric: "goodput", must: 90 },
    { metric: "refused", must: 50 },
    { metric: "growth", must: 64 },
  ],
  long: { why: `${SECONDS} s of too many requests`, rounds: 1 },
  prepare,
};

async function prepare(): Promise<PreparedCase> {
  const seconds = parsePositive("OVERLOAD_SECONDS", SECONDS);
  return onServer(KEYS, async (server, api) => {
    processFigures(server.pid);
    const source = await api.upload(asUpload(photoLike(SIZE)));
    const pattern = await api.createPattern(source, plainDesign("p4"));
    let sent = 0;
    /** Returns the next request, for a sheet that was not requested before. */
    const next = () => {
      sent++;
      const offset = `${(sent % 3000) / 10},${Math.floor(sent / 3000) / 10}`;
      return {
        path: `/api/v1/patterns/${pattern}/render?mode=surface&surface_width=${SIZE}&surface_height=${SIZE}&offset=${offset}`,
        headers: { "x-api-key": api.keys[sent % KEYS] },
      };
    };
    const setupRequest = (request: Request) => ({ ...request, ...next() });
    const requests = [{ setupRequest }];
    const load = { url: server.url, requests };
    return {
      contenders: [
        {
          name: "orbifold",
          ours: true,
          async run() {
            const calm = await generateLoad({
              ...load,
              connections: CLIENTS_AT_PEAK,
              seconds: PEAK_SECONDS,
            });
            const peak = summariseStatus(calm, 200).rate;
            const atPeak = processFigures(server.pid).megabytes;
            const rate = Math.ceil(peak * TIMES_TOO_MANY);
            const tooMany = { ...load, connections: CONNECTIONS, rate };
            assertRenderedOrRefused(await generateLoad({ ...tooMany, seconds: FILLING_SECONDS }));
            forgetPeak(server.pid);
            const before = processFigures(server.pid).megabytes;
            const result = await generateLoad({ ...tooMany, seconds });
            const after = processFigures(server.pid);
            assertRenderedOrRefused(result);
            const refused = summariseStatus(result, 503);
            const made = summariseStatus(result, 200);
            return {
              goodput: (100 * made.rate) / peak,
              refused: refused.p95,
              growth: after.megabytes - before,
              highest: after.peakMegabytes - before,
              overPeak: after.megabytes - atPeak,
              offered: (made.rate + refused.rate) / peak,
              peak,
            };
          },
        },
      ],
      notes: [server.description],
      versions: {},
      async check() {
        const { path, headers } = next();
        const get = async () => (await fetch(`${server.url}${path}`, { headers })).bytes();
        const [first, second] = [await get(), await get()];
        if (Buffer.compare(first, second) !== 0) {
          throw new WrongResult("the same sheet was given in other bytes");
        }
      },
      close: () => server.stop(),
    };
  });
}

function assertRenderedOrRefused({ latencies, unanswered }: LoadResult): void {
  const others = [...latencies].filter(([status]) => status !== 200 && status !== 503);
  if (others.length === 0 && unanswered === 0) return;
  const got = others.map(([status, list]) => `${list.length} × ${status}`).join(", ");
  throw new WrongResult(`expected 200 and 503 alone, got ${got}, ${unanswered} unanswered`);
}
