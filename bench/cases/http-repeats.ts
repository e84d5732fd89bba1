/** Case 7: repeated requests for one picture over HTTP, and conditional ones. */

import { plainDesign } from "../../engine/recipe/index.ts";
import { type BenchCase, type PreparedCase, WrongResult } from "../harness/case.ts";
import { generateLoad, type LoadResult, summariseStatus } from "../harness/load-generator.ts";
import { onServer } from "../harness/on-server.ts";
import { processFigures } from "../harness/process-figures.ts";
import type { StartedServer } from "../harness/started-server.ts";
import { photoLike } from "../pictures/photo-like.ts";
import { asUpload } from "./in-thread-engine.ts";

const SIZE = 256;
const SOURCE_SIZE = 512;
const CONNECTIONS = 16;
/** For each kind, in each round. */
const SECONDS = 2;
/** A key may make 600 requests a minute. */
const KEYS = 500;

export const httpRepeats: BenchCase = {
  name: "repeats",
  number: 7,
  title: `One PNG tile of ${SIZE}² asked for again and again over HTTP by ${CONNECTIONS} connections, and with If-None-Match`,
  scope: "service",
  fairness:
    "Every request carries a key, is authenticated, counted and looked up as any other. A core's rate is that of the answers over the processor time of the server with its threads and its database; autocannon's own time does not count, but it runs on the same cores.",
  metrics: [
    { name: "render", unit: "renders/s a core", better: "higher" },
    { name: "unchanged", unit: "304s/s a core", better: "higher" },
    { name: "renderRate", unit: "renders/s", better: "higher" },
    { name: "unchangedRate", unit: "304s/s", better: "higher" },
  ],
  targets: [
    { metric: "render", must: 1500 },
    { metric: "unchanged", must: 3000 },
  ],
  prepare,
};

function prepare(): Promise<PreparedCase> {
  return onServer(KEYS, async (server, api) => {
    // Throws where processor time cannot be read.
    processFigures(server.pid);
    const source = await api.upload(asUpload(photoLike(SOURCE_SIZE)));
    const pattern = await api.createPattern(source, plainDesign("p4m"));
    const path = `/api/v1/patterns/${pattern}/render?size=${SIZE}`;
    const get = (headers: Record<string, string>) =>
      fetch(`${server.url}${path}`, { headers: { "x-api-key": api.keys[0], ...headers } });
    const etag = (await get({})).headers.get("etag") ?? "";
    const burst = (status: number, headers: Record<string, string>) => {
      const requests = api.keys.map((key) => ({ path, headers: { "x-api-key": key, ...headers } }));
      return rates(server, requests, status);
    };
    return {
      contenders: [
        {
          name: "orbifold",
          ours: true,
          async run() {
            const render = await burst(200, {});
            const unchanged = await burst(304, { "if-none-match": etag });
            return {
              render: render.perCore,
              unchanged: unchanged.perCore,
              renderRate: render.rate,
              unchangedRate: unchanged.rate,
            };
          },
        },
      ],
      notes: [server.description],
      versions: {},
      async check() {
        const [first, second] = [await get({}), await get({})];
        const bodies = [await first.bytes(), await second.bytes()];
        const posted = await api.tile(pattern, SIZE);
        if (bodies.some((body) => Buffer.compare(body, posted) !== 0)) {
          throw new WrongResult("the same tile was given in other bytes");
        }
        const unchanged = await get({ "if-none-match": etag });
        if (unchanged.status !== 304 || (await unchanged.bytes()).length > 0) {
          throw new WrongResult(`expected 304 and no body, got ${unchanged.status}`);
        }
      },
      close: () => server.stop(),
    };
  });
}

async function rates(
  server: StartedServer,
  requests: Parameters<typeof generateLoad>[0]["requests"],
  status: number,
) {
  const before = processFigures(server.pid).cpuSeconds;
  const result = await generateLoad({
    url: server.url,
    requests,
    connections: CONNECTIONS,
    seconds: SECONDS,
  });
  const used = processFigures(server.pid).cpuSeconds - before;
  assertOnly(result, status);
  const { rate } = summariseStatus(result, status);
  return { rate, perCore: (rate * result.seconds) / used };
}

function assertOnly({ latencies, unanswered }: LoadResult, status: number): void {
  const others = [...latencies].filter(([other]) => other !== status);
  if (others.length === 0 && unanswered === 0 && latencies.has(status)) return;
  const got = [...latencies].map(([one, list]) => `${list.length} × ${one}`).join(", ");
  throw new WrongResult(`expected ${status} alone, got ${got}, ${unanswered} unanswered`);
}
