/** Cases 21 and 22: new designs of photographs that the service knows, over HTTP. */
import type { Design, GroupName } from "../../engine/recipe/index.ts";
import type { BenchCase, Contender, PreparedCase, Target } from "../harness/case.ts";
import { onServer } from "../harness/on-server.ts";
import { quantile } from "../harness/statistics.ts";
import { timed } from "../harness/timed.ts";
import { BY_MAP, NO_PEER, openDesignPeer, WHOLE_ORBIT } from "../peers/design-peer.ts";
import { photograph, photographFile, SIZES } from "../pictures/photograph.ts";
import { randomDesign } from "../pictures/random-designs.ts";
import { checkPeer, checkServed, commonDesign, methodsFor, pixelsOf } from "./photo-check.ts";

const SIZE = 1024;
/** In each round, of each photograph. */
const DESIGNS = 6;
/** A design takes two requests, and a key may make 600 a minute. */
const KEYS = 16;
/** The photograph that the peers draw. */
const KNOWN = 12;
/** Peers are compared with the first. */
const ORDER = [KNOWN, 2, 50] as const;

export const newP4m = newDesign(21, "p4m", {
  metric: "ms",
  peer: WHOLE_ORBIT,
  must: 4,
  aim: 8,
});

export const newP1 = newDesign(22, "p1", { metric: "ms", peer: BY_MAP, must: 1.5, aim: 3 });

function newDesign(number: number, group: GroupName, target: Target): BenchCase {
  return {
    name: `new-${group}`,
    number,
    title: `New designs of photographs that the service knows, ${group} ${SIZE}² PNG over HTTP, ${DESIGNS} motifs at random a round`,
    scope: "user",
    fairness: `Ours is a request to a started server, from the key to the last byte; making the pattern is not timed. Motifs lie anywhere, at scales of 0.3…3 and any angle, the same for all. OpenCV has the decoded photograph of ${KNOWN} Mpx and the map of the group in memory, runs in its own process without HTTP, prefilters by area, mixes in encoded values, and uses as many threads as it likes. Beyond the photograph's edges it mirrors.`,
    metrics: [
      { name: "ms", unit: "ms", better: "lower" },
      { name: "slowest", unit: "ms, the slowest", better: "lower" },
    ],
    targets: [target],
    prepare: () => prepare(group),
  };
}

async function prepare(group: GroupName): Promise<PreparedCase> {
  const [width, height] = SIZES[KNOWN];
  return onServer(KEYS, async (server, api) => {
    const photographs = await Promise.all(
      ORDER.map(async (megapixels) => {
        const source = await photograph(megapixels);
        return { megapixels, source, id: await api.upload(source) };
      }),
    );
    const file = await photographFile(KNOWN);
    const peer = await openDesignPeer([group], SIZE, file, { width, height });
    const methods = peer === null ? [] : methodsFor(group);
    const contenders = [
      ...photographs.map(({ megapixels, id }) =>
        contender(`orbifold, ${megapixels} Mpx`, true, group, async (design) => {
          const pattern = await api.createPattern(id, design);
          return timed(() => api.tile(pattern, SIZE));
        }),
      ),
      ...methods.map((method) =>
        contender(method, false, group, async (design) => (await peer?.draw(method, design)) ?? 0),
      ),
    ];
    return {
      contenders,
      notes: [server.description, ...(peer === null ? [NO_PEER] : [])],
      versions: peer?.versions ?? {},
      async check() {
        const design = commonDesign(group);
        const [{ source, id }] = photographs;
        const png = await api.tile(await api.createPattern(id, design), SIZE);
        await checkServed(SIZE, [{ design, source, png }]);
        if (peer !== null) await checkPeer(peer, methods, design, await pixelsOf(png));
      },
      async close() {
        await peer?.close();
        await server.stop();
      },
    };
  });
}

/** Draws new designs, the same as every other contender. */
function contender(
  name: string,
  ours: boolean,
  group: GroupName,
  draw: (design: Design) => Promise<number>,
): Contender {
  let made = 0;
  return {
    name,
    ours,
    async run() {
      const times: number[] = [];
      for (let n = 0; n < DESIGNS; n++) times.push(await draw(randomDesign(group, made++)));
      return { ms: quantile(times, 0.5), slowest: Math.max(...times) };
    },
  };
}
