/** Case 2: a tile of every wallpaper group with blended seams, one thread. */
import { bytesOf } from "../../engine/image/samples.ts";
import { GROUP_NAMES, plainDesign } from "../../engine/recipe/index.ts";
import type { BenchCase, PreparedCase } from "../harness/case.ts";
import { assertSamePixels } from "../harness/compare-pixels.ts";
import { timed } from "../harness/timed.ts";
import { photoLike } from "../pictures/photo-like.ts";
import { everyPixel } from "./every-pixel.ts";
import { asUpload, openInThreadEngine } from "./in-thread-engine.ts";

const SIZE = 1024;

export const everyGroup: BenchCase = {
  name: "groups",
  number: 2,
  title: `Tile of ${SIZE}² in every group, blend, sRGB pixels from a decoded ${SIZE}² source, one thread`,
  scope: "kernel figure",
  fairness:
    "No peer draws all groups. Each tile is first held against the same pattern evaluated pixel by pixel, without copying the asymmetric unit.",
  metrics: [
    { name: "ms", unit: "ms", better: "lower" },
    { name: "mpx", unit: "Mpx/s", better: "higher" },
  ],
  targets: [{ metric: "mpx", must: 12, aim: 25 }],
  prepare,
};

async function prepare(): Promise<PreparedCase> {
  const engine = await openInThreadEngine();
  const source = asUpload(photoLike(SIZE));
  const designs = GROUP_NAMES.map(plainDesign);
  return {
    contenders: designs.map((design) => ({
      name: design.group,
      ours: true,
      async run() {
        const ms = await timed(() => engine.tile(design, source, SIZE));
        return { ms, mpx: (SIZE * SIZE) / 1000 / ms };
      },
    })),
    notes: [`backend ${engine.backend}`],
    versions: {},
    async check() {
      for (const design of designs) {
        const tile = await engine.tile(design, source, SIZE);
        const expected = bytesOf(await everyPixel(engine.context, design, source, SIZE));
        // An orbit's pixels are folded along different paths, so their positions differ by
        // rounding.
        assertSamePixels(design.group, tile, expected, { most: 1, mean: 0.01 });
      }
    },
    close: () => engine.close(),
  };
}
