/** Case 10: tiles of every wallpaper group with blended seams, one thread against one thread. */
import { bytesOf } from "../../engine/image/samples.ts";
import { GROUP_NAMES, type GroupName } from "../../engine/recipe/index.ts";
import { type BenchCase, type Contender, type PreparedCase, Unavailable } from "../harness/case.ts";
import { assertSamePixels } from "../harness/compare-pixels.ts";
import { timed } from "../harness/timed.ts";
import { BY_MAP, NO_PEER, openDesignPeer } from "../peers/design-peer.ts";
import { photograph, photographFile, SIZES } from "../pictures/photograph.ts";
import { randomDesign } from "../pictures/random-designs.ts";
import { everyPixel } from "./every-pixel.ts";
import { openInThreadEngine } from "./in-thread-engine.ts";
import { checkPeer, commonDesign } from "./photo-check.ts";

const SIZE = 1024;
const MEGAPIXELS = 12;
/** Of each group in a round, after one that is not timed. */
const MOTIFS = 3;

export const everyGroup: BenchCase = {
  name: "groups",
  number: 10,
  title: `Tiles of ${SIZE}² in every group, sRGB pixels of a decoded photograph of ${MEGAPIXELS} Mpx, ${MOTIFS} motifs at random a round, one thread`,
  scope: "kernel figure",
  fairness:
    "A tile of each group is first held against the same pattern evaluated pixel by pixel, without copying the asymmetric unit. In each round a group has other motifs, anywhere at scales of 0.3…3 and any angle, and OpenCV draws each after us. OpenCV has the map of each group in memory, prefilters by area, interpolates over 2 × 2 pixels where we do over 4 × 4, mixes in encoded values, and mirrors beyond the photograph's edges. Our levels of the photograph, which stand for the prefilter, are made once.",
  metrics: [
    { name: "ms", unit: "ms", better: "lower" },
    { name: "mpx", unit: "Mpx/s", better: "higher" },
    { name: "times", unit: "× OpenCV", better: "higher" },
  ],
  targets: [
    { metric: "mpx", must: 12, aim: 25 },
    { metric: "times", must: 1.5, aim: 3 },
  ],
  prepare,
};

async function prepare(): Promise<PreparedCase> {
  await using opened = new AsyncDisposableStack();
  const engine = await openInThreadEngine();
  opened.defer(() => engine.close());
  const source = await photograph(MEGAPIXELS);
  const file = await photographFile(MEGAPIXELS);
  const [width, height] = SIZES[MEGAPIXELS];
  const peer = await openDesignPeer(GROUP_NAMES, SIZE, file, { width, height }, 1);
  if (peer === null) throw new Unavailable(NO_PEER);
  opened.defer(() => peer.close());
  const contender = (group: GroupName): Contender => {
    let round = 0;
    return {
      name: group,
      ours: true,
      async run() {
        const first = (MOTIFS + 1) * round++;
        let [ours, theirs] = [0, 0];
        for (let n = 0; n <= MOTIFS; n++) {
          const design = randomDesign(group, first + n);
          const time = await timed(() => engine.tile(design, source, SIZE));
          const peerTime = await peer.drawPixels(BY_MAP, design);
          if (n === 0) continue;
          ours += time;
          theirs += peerTime;
        }
        const ms = ours / MOTIFS;
        return { ms, mpx: (SIZE * SIZE) / 1000 / ms, times: theirs / ours };
      },
    };
  };
  const kept = opened.move();
  return {
    contenders: GROUP_NAMES.map(contender),
    notes: [`backend ${engine.backend}`],
    versions: peer.versions,
    async check() {
      for (const design of GROUP_NAMES.map(commonDesign)) {
        const tile = await engine.tile(design, source, SIZE);
        const expected = bytesOf(await everyPixel(engine.context, design, source, SIZE));
        // An orbit's pixels are folded along different paths, so their positions differ by
        // rounding.
        assertSamePixels(design.group, tile, expected, { most: 1, mean: 0.01 });
        await checkPeer(peer, [BY_MAP], design, tile);
      }
    },
    close: () => kept.disposeAsync(),
  };
}
