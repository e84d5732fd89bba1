/** Case 13: mockups of all products in one thread. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { drawMockup, type MockupJob } from "../../engine/mockups/draw-mockup.ts";
import { makeMapFile } from "../../engine/mockups/make-map-file.ts";
import { checkDesign } from "../../engine/recipe/check.ts";
import { plainDesign } from "../../engine/recipe/index.ts";
import { products } from "../../scenes/catalogue.ts";
import { MOCKUP_SIZE } from "../../scenes/scene.ts";
import { type BenchCase, type PreparedCase, WrongResult } from "../harness/case.ts";
import { quantile } from "../harness/statistics.ts";
import { timed } from "../harness/timed.ts";
import { photograph } from "../pictures/photograph.ts";
import { randomDesign } from "../pictures/random-designs.ts";
import { openInThreadEngine } from "./in-thread-engine.ts";

const MEGAPIXELS = 12;

export const mockups: BenchCase = {
  name: "mockups",
  number: 13,
  title: `Mockups of the ${products.length} products, as JPEG of ${MOCKUP_SIZE}², of new designs of a photograph of ${MEGAPIXELS} Mpx that the engine knows, one thread`,
  scope: "user",
  fairness:
    "A round draws each product once, each with a new p4m design, its motif at random. The maps of the products are made before; the operating system has their files in memory. Coding the JPEG may use more threads. No peer draws such pictures.",
  metrics: [
    { name: "ms", unit: "ms", better: "lower" },
    { name: "slowest", unit: "ms, the slowest", better: "lower" },
    { name: "all", unit: `ms, all ${products.length}`, better: "lower" },
  ],
  targets: [
    { metric: "slowest", must: 150, aim: 50 },
    { metric: "all", must: 1000 },
  ],
  prepare,
};

async function prepare(): Promise<PreparedCase> {
  await using opened = new AsyncDisposableStack();
  const { context, backend, close } = await openInThreadEngine();
  opened.defer(close);
  const folder = await mkdtemp(join(tmpdir(), "orbifold-bench-"));
  opened.defer(() => rm(folder, { recursive: true }));
  const maps = new Map<string, string>();
  for (const { id } of products) {
    const path = join(folder, id);
    await makeMapFile({ product: id, side: null, path }, async () => undefined);
    maps.set(id, path);
  }
  const source = await photograph(MEGAPIXELS);
  let made = 0;
  const draw = (product: (typeof products)[number], n: number) => {
    const design = n < 0 ? checkDesign(plainDesign("p4m")) : randomDesign("p4m", n);
    const request = { design, source, product: product.id } satisfies MockupJob["request"];
    return drawMockup(context, { request, product, map: maps.get(product.id) ?? "" });
  };
  const kept = opened.move();
  return {
    contenders: [
      {
        name: `orbifold (${backend})`,
        ours: true,
        async run() {
          const times: number[] = [];
          for (const product of products) times.push(await timed(() => draw(product, made++)));
          const all = times.reduce((sum, ms) => sum + ms);
          return { ms: quantile(times, 0.5), slowest: Math.max(...times), all };
        },
      },
    ],
    notes: [],
    versions: { sharp: sharp.versions.sharp ?? "" },
    async check() {
      for (const product of products) {
        const { width, height, format } = await sharp(await draw(product, -1)).metadata();
        if (width !== MOCKUP_SIZE || height !== MOCKUP_SIZE || format !== "jpeg") {
          throw new WrongResult(`the mockup of ${product.id} is ${format}, ${width} × ${height}`);
        }
      }
    },
    close: () => kept.disposeAsync(),
  };
}
