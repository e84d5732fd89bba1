/** Tiles over HTTP, each of another pattern, of a small source at one scale. */
import { decode } from "fast-png";
import { type Design, GROUP_NAMES, plainDesign } from "../../engine/recipe/index.ts";
import type { BenchCase, PreparedCase } from "../harness/case.ts";
import { closedLoop } from "../harness/closed-loop.ts";
import { assertSamePixels } from "../harness/compare-pixels.ts";
import { onServer } from "../harness/on-server.ts";
import { photoLike } from "../pictures/photo-like.ts";
import { asUpload, openInThreadEngine } from "./in-thread-engine.ts";

const SIZE = 512;
const SOURCE_SIZE = 1024;
const CLIENTS = 8;
/** In each round. */
const REQUESTS = 160;
/** A tile takes two requests, and a key may make 600 a minute. */
const KEYS = 32;

export const httpTiles: BenchCase = {
  name: "http",
  title: `Distinct PNG tiles of ${SIZE}² over HTTP, closed loop of ${CLIENTS} clients, ${REQUESTS} tiles a round`,
  scope: "kernel figure",
  fairness:
    "The clients run on the same cores as the server. Every request is the first for its pattern: the groups in turn, each time another part of one photo-like source. Making the patterns is not timed.",
  metrics: [
    { name: "rate", unit: "tiles/s", better: "higher" },
    { name: "median", unit: "ms median", better: "lower" },
    { name: "p95", unit: "ms p95", better: "lower" },
  ],
  targets: [
    { metric: "rate", must: 40, aim: 100 },
    { metric: "p95", must: 300 },
  ],
  prepare,
};

function prepare(): Promise<PreparedCase> {
  return onServer(KEYS, async (server, api) => {
    const source = asUpload(photoLike(SOURCE_SIZE));
    const sourceId = await api.upload(source);
    let made = 0;
    const newPatterns = async (count: number) => {
      const patterns = [];
      for (const end = made + count; made < end; made++) {
        const design = designAt(made);
        patterns.push({ design, id: await api.createPattern(sourceId, design) });
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
            return { ...(await closedLoop(patterns, CLIENTS, ({ id }) => api.tile(id, SIZE))) };
          },
        },
      ],
      notes: [server.description],
      versions: {},
      async check() {
        const engine = await openInThreadEngine();
        for (const { design, id } of await newPatterns(GROUP_NAMES.length)) {
          const expected = await engine.tile(design, source, SIZE);
          const { data } = decode(await api.tile(id, SIZE), { checkCrc: true });
          // A server with a GPU may differ by one step.
          assertSamePixels(design.group, data, expected, { most: 1, mean: 0.1 });
        }
        await engine.close();
      },
      close: () => server.stop(),
    };
  });
}

/** Cycles through the groups, with parts of the source that repeat after 10 007 designs. */
function designAt(n: number): Design {
  const plain = plainDesign(GROUP_NAMES[n % GROUP_NAMES.length]);
  const spread = (multiplier: number) => ((n * multiplier) % 10_007) / 10_007;
  const middle = (multiplier: number) => 0.35 + 0.3 * spread(multiplier);
  const motif = { x: middle(2711), y: middle(4001), scale: 2, rotation: 360 * spread(6007) };
  return { ...plain, motif };
}
