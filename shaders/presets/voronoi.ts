/** Cells grown from scattered sites: leaded glass, pebbles or slices of agate. */
import { between, permutationTable, pick, randomSequence } from "../lib/random.ts";
import { definePreset } from "./preset.ts";
import { cellKernel } from "./voronoi/cell-kernel.ts";
import { glass, lookTable, pebbles, slices } from "./voronoi/looks.ts";
import { siteLists, sitesOf, siteTable } from "./voronoi/sites.ts";

export const voronoi = definePreset({
  id: "voronoi",
  title: "Voronoi",
  description: "Cells grown from scattered points: leaded glass, pebbles or slices of agate.",
  tiles: true,
  kernel: cellKernel,
  prepare(seed, palette) {
    const random = randomSequence(seed, 4);
    const spacing = between(random, 0.034, 0.07);
    const look = pick(random, [glass, pebbles, slices])(random, palette, spacing);
    const sites = sitesOf(random, spacing);
    const range = 3.5 * spacing;
    const { list, starts } = siteLists(sites, range);
    return [
      siteTable(random, palette, look.jointColour, sites),
      list,
      starts,
      lookTable(range, look),
      permutationTable(seed),
    ];
  },
});
