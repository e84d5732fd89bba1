/** Case 8: distinct tiles of a photograph over HTTP, from several clients at once. */
import { GROUP_NAMES } from "../../engine/recipe/index.ts";
import type { BenchCase, PreparedCase } from "../harness/case.ts";
import { closedLoop } from "../harness/closed-loop.ts";
import { onServer } from "../harness/on-server.ts";
import { photograph } from "../pictures/photograph.ts";
import { randomDesignInTurn } from "../pictures/random-designs.ts";
import { checkServed } from "./photo-check.ts";

const SIZE = 512;
const MEGAPIXELS = 2;
const CLIENTS = 8;
/** In each round. */
const REQUESTS = 160;
/** A tile takes two requests, and a key may make 600 a minute. */
const KEYS = 32;

export const photoTiles: BenchCase = {
  name: "tiles",
  number: 8,
  title: `Distinct PNG tiles of ${SIZE}² over HTTP of a photograph of ${MEGAPIXELS} Mpx, closed loop of ${CLIENTS} clients, ${REQUESTS} tiles a round`,
  scope: "user",
  fairness:
    "The clients run on the same cores as the server. Every request is the first for its pattern: the groups in turn, motifs anywhere, at scales of 0.3…3 and any angle. Making the patterns is not timed.",
  metrics: [
    { name: "rate", unit: "tiles/s", better: "higher" },
    { name: "median", unit: "ms median", better: "lower" },
    { name: "p95", unit: "ms p95", better: "lower" },
  ],
  targets: [
    { metric: "rate", must: 80, aim: 120 },
    { metric: "p95", must: 160 },
  ],
  prepare,
};

function prepare(): Promise<PreparedCase> {
  return onServer(KEYS, async (server, api) => {
    const source = await photograph(MEGAPIXELS);
    const id = await api.upload(source);
    let made = 0;
    const newPatterns = async (count: number) => {
      const patterns = [];
      for (const end = made + count; made < end; made++) {
        const design = randomDesignInTurn(made);
        patterns.push({ design, id: await api.createPattern(id, design) });
      }
      return patterns;
    };
    return {
      contenders: [
        {
          name: "orbifold",
          ours: true,
          async run() {
            const patterns = await newPatterns(REQUESTS);
            return { ...(await closedLoop(patterns, CLIENTS, (one) => api.tile(one.id, SIZE))) };
          },
        },
      ],
      notes: [server.description],
      versions: {},
      async check() {
        const tiles = [];
        for (const { design, id } of await newPatterns(GROUP_NAMES.length)) {
          tiles.push({ design, source, png: await api.tile(id, SIZE) });
        }
        await checkServed(SIZE, tiles);
      },
      close: () => server.stop(),
    };
  });
}
