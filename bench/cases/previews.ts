/** Case 23, previews while somebody moves a motif, and a case of the same with cut seams. */
import { type Design, GROUP_NAMES } from "../../engine/recipe/index.ts";
import type { BenchCase, PreparedCase } from "../harness/case.ts";
import { onServer } from "../harness/on-server.ts";
import { quantile } from "../harness/statistics.ts";
import { timed } from "../harness/timed.ts";
import { MEGAPIXELS, photograph } from "../pictures/photograph.ts";
import { randomDesign, randomDesignInTurn } from "../pictures/random-designs.ts";
import { checkServed } from "./photo-check.ts";

const SIZE = 256;
/** In each round: each group twice. */
const PREVIEWS = 2 * GROUP_NAMES.length;
/** A preview takes two requests, and a key may make 600 a minute. */
const KEYS = 32;

const previewCase = {
  scope: "user",
  fairness:
    "One client asks for one preview after the other. Motifs lie anywhere, at scales of 0.3…3 and any angle. Making the patterns is not timed. No peer offers such previews.",
  metrics: [
    { name: "p95", unit: "ms p95", better: "lower" },
    { name: "median", unit: "ms median", better: "lower" },
  ],
  targets: [{ metric: "p95", must: 30, aim: 15 }],
} as const satisfies Partial<BenchCase>;

export const previews: BenchCase = {
  ...previewCase,
  name: "previews",
  number: 23,
  title: `Previews of ${SIZE}² over HTTP of photographs that the service knows, each a new motif, all groups, ${PREVIEWS} a round`,
  prepare: () => prepare((design) => design),
};

export const cutPreviews: BenchCase = {
  ...previewCase,
  name: "previews-cut",
  title: `The same previews of ${SIZE}² with cut seams`,
  prepare: () => prepare((design) => ({ ...design, seam: { ...design.seam, method: "cut" } })),
};

function prepare(changed: (design: Design) => Design): Promise<PreparedCase> {
  return onServer(KEYS, async (server, api) => {
    const photographs = await Promise.all(
      MEGAPIXELS.map(async (megapixels) => {
        const source = await photograph(megapixels);
        return { megapixels, source, id: await api.upload(source) };
      }),
    );
    return {
      contenders: photographs.map(({ megapixels, id }) => {
        let made = 0;
        return {
          name: `orbifold, ${megapixels} Mpx`,
          ours: true,
          async run() {
            const times: number[] = [];
            for (const end = made + PREVIEWS; made < end; made++) {
              const design = changed(randomDesignInTurn(made));
              const pattern = await api.createPattern(id, design);
              times.push(await timed(() => api.tile(pattern, SIZE)));
            }
            return { p95: quantile(times, 0.95), median: quantile(times, 0.5) };
          },
        };
      }),
      notes: [server.description],
      versions: {},
      async check() {
        const tiles = [];
        for (const [n, { source, id }] of photographs.entries()) {
          // Motifs that the rounds do not repeat, so that none is in the render cache.
          const design = changed(randomDesign("p6", -1 - n));
          const pattern = await api.createPattern(id, design);
          tiles.push({ design, source, png: await api.tile(pattern, SIZE) });
        }
        await checkServed(SIZE, tiles);
      },
      close: () => server.stop(),
    };
  });
}
