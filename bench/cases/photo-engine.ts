/** New designs of photographs in the engine, without HTTP: all groups, one thread and all of them. */
import { availableParallelism } from "node:os";
import { Value } from "typebox/value";
import { checkRender, createEngine, type RenderRequest } from "../../engine/index.ts";
import { GROUP_NAMES, RenderFields, type SourceBytes } from "../../engine/recipe/index.ts";
import { type BenchCase, type Contender, type PreparedCase, WrongResult } from "../harness/case.ts";
import { closedLoop } from "../harness/closed-loop.ts";
import { timed } from "../harness/timed.ts";
import { BY_MAP, NO_PEER, openDesignPeer } from "../peers/design-peer.ts";
import {
  MEGAPIXELS,
  type Megapixels,
  photograph,
  photographFile,
  SIZES,
  withComment,
} from "../pictures/photograph.ts";
import { randomDesign } from "../pictures/random-designs.ts";
import { openInThreadEngine } from "./in-thread-engine.ts";
import { checkPeer, commonDesign, pixelsOf } from "./photo-check.ts";

const SIZE = 1024;

/** A case for each size of photograph. */
export const photoEngine: readonly BenchCase[] = MEGAPIXELS.map((megapixels) => ({
  name: `photo-${megapixels}`,
  title: `New designs of a photograph of ${megapixels} Mpx in the engine, ${SIZE}² PNG, a motif at random in each of the 17 groups`,
  scope: "user",
  fairness:
    "A round's photograph is new to the engine. The first design includes decoding it; the time of the following ones is that of all groups over their number. Motifs lie anywhere, at scales of 0.3…3 and any angle, the same for all. With all threads, two designs are under way for each. OpenCV has the map of each group in memory, prefilters by area, mixes in encoded values, and uses as many threads as it likes; beyond the photograph's edges it mirrors.",
  metrics: [
    { name: "ms", unit: "ms a tile", better: "lower" },
    { name: "first", unit: "ms, the first", better: "lower" },
  ],
  // The targets of new designs are those over HTTP.
  targets: [],
  prepare: () => prepare(megapixels),
}));

async function prepare(megapixels: Megapixels): Promise<PreparedCase> {
  const known = await photograph(megapixels);
  const file = await photographFile(megapixels);
  const [width, height] = SIZES[megapixels];
  await using opened = new AsyncDisposableStack();
  const peer = await openDesignPeer(GROUP_NAMES, SIZE, file, { width, height });
  opened.defer(() => peer?.close());
  const inThread = await openInThreadEngine();
  opened.defer(() => inThread.close());
  const threads = availableParallelism();
  const pool = await createEngine({ backend: "webasm", threads, queueMax: 64 });
  opened.defer(() => pool.close(0));
  const render = checkRender({ ...Value.Create(RenderFields), size: SIZE });
  const viaPool = async (request: RenderRequest) => (await pool.render(request)).bytes;

  /** Renders a round's designs of a photograph that the engine does not know. */
  const contender = (
    name: string,
    draw: (request: RenderRequest) => Promise<unknown>,
    concurrency: number,
  ): Contender => {
    let round = 0;
    return {
      name,
      ours: true,
      async run() {
        const source = withComment(known, `${name}, round ${round}`);
        const requests = designsOf(round++).map((design) => ({ design, source, render }));
        const first = await timed(() =>
          draw({ ...requests[0], design: randomDesign("p4m", -round) }),
        );
        const { rate } = await closedLoop(requests, concurrency, draw);
        return { ms: 1000 / rate, first };
      },
    };
  };
  const ours = [
    contender(`orbifold (${inThread.backend}), one thread`, inThread.file, 1),
    contender(`orbifold (${pool.backend}), ${threads} threads`, viaPool, 2 * threads),
  ];
  let round = 0;
  const peers: Contender[] = [];
  if (peer !== null) {
    peers.push({
      name: BY_MAP,
      ours: false,
      async run() {
        const opened = await peer.open(file);
        const designs = designsOf(round++);
        const first = opened + (await peer.draw(BY_MAP, randomDesign("p4m", -round)));
        let sum = 0;
        for (const design of designs) sum += await peer.draw(BY_MAP, design);
        return { ms: sum / designs.length, first };
      },
    });
  }
  const kept = opened.move();
  return {
    contenders: [...ours, ...peers],
    notes: peer === null ? [NO_PEER] : [],
    versions: peer?.versions ?? {},
    async check() {
      for (const group of GROUP_NAMES) await checkGroup(commonDesign(group), known);
    },
    close: () => kept.disposeAsync(),
  };

  async function checkGroup(design: RenderRequest["design"], source: SourceBytes): Promise<void> {
    const bytes = await inThread.file({ design, source, render });
    if (Buffer.compare(bytes, await viaPool({ design, source, render })) !== 0) {
      throw new WrongResult(`${design.group}: a thread of the pool gave other bytes than this one`);
    }
    if (peer !== null) await checkPeer(peer, [BY_MAP], design, await pixelsOf(bytes));
  }
}

/** A motif for each group, others in each round. */
const designsOf = (round: number) =>
  GROUP_NAMES.map((group, at) => randomDesign(group, round * GROUP_NAMES.length + at));
