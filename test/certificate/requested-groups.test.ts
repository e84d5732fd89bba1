/** Seam methods add no symmetry of their own, wherever the motif is, within its source or beyond. */
import t from "tap";
import { GROUP_NAMES, type GroupName, type Motif } from "../../engine/index.ts";
import { swatchOf, testEngine } from "../helpers/engine.ts";
import { hash } from "../helpers/pictures.ts";
import { seed } from "../helpers/random-subset.ts";
import { check } from "./draw.ts";
import { sampledGroups } from "./sampled-groups.ts";

const engine = await testEngine(t);

/**
 * Motifs to draw until a tile is no more symmetric than its group. The average of a motif over p6 is a
 * mirror image of itself, within the tolerance, for 4 motifs of 248; over other groups for at most 1 of them.
 */
const drawsFor = (group: GroupName) => (group === "p6" ? 3 : 2);

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

  async function verdictOf(method: "average" | "blend", motif: Partial<Motif>) {
    const tile = await swatchOf(engine, { group, motif, seam: { method }, render: { size: 256 } });
    return check(tile, group, { cells: "rendered" });
  }

  t.test(`certifies a tile of ${group} as ${group}`, async (t) => {
    const { verdict, found, summary } = await verdictOf("average", {});
    t.same([verdict, found], ["valid", group], summary);
  });

  const method = n % 3 === seed % 3 ? "blend" : "average";
  t.test(`certifies a tile of ${group} with a random motif, by ${method}`, async (t) => {
    const draws = drawsFor(group);
    for (let draw = 0; draw < draws; draw++) {
      const motif = motifOf(n + draw * GROUP_NAMES.length);
      const { verdict, found, summary } = await verdictOf(method, motif);
      if (verdict === "more_symmetric" && draw < draws - 1) continue;
      return t.same([verdict, found], ["valid", group], `${JSON.stringify(motif)}: ${summary}`);
    }
  });
}
