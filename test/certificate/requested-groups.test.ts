/** Seam methods add no symmetry of their own, wherever the motif is, within its source or beyond. */
import t from "tap";
import { GROUP_NAMES, type Motif } from "../../engine/index.ts";
import { swatchOf, testEngine } from "../helpers/engine.ts";
import { hash } from "../helpers/pictures.ts";
import { seed } from "../helpers/random-subset.ts";
import { check } from "./draw.ts";
import { sampledGroups } from "./sampled-groups.ts";

const engine = await testEngine(t);

/** A motif off the centre, at any angle, half of them extending far beyond the source. */
function motifOf(n: number): Motif {
  const random = (k: number) => hash(seed + n, k);
  return {
    x: 0.15 + 0.7 * random(1),
    y: 0.15 + 0.7 * random(2),
    scale: 2 ** (2 * random(3) - 1),
    rotation: 360 * random(4),
  };
}

for (const group of sampledGroups()) {
  const n = GROUP_NAMES.indexOf(group);
  t.test(`certifies a tile of ${group} as ${group}`, async (t) => {
    for (const [method, motif] of [
      ["average", {}],
      [n % 3 === seed % 3 ? "blend" : "average", motifOf(n)],
    ] as const) {
      const tile = await swatchOf(engine, {
        group,
        motif,
        seam: { method },
        render: { size: 256 },
      });
      const { verdict, found, summary } = await check(tile, group, { cells: "rendered" });
      t.same([verdict, found], ["valid", group], `${method} ${JSON.stringify(motif)}: ${summary}`);
    }
  });
}
