/** Sites of the cells. */
import { type Linear, lightened, lightness, mixed } from "../../lib/colour.ts";
import { listsOf } from "../../lib/grid-lists.ts";
import { layout, numbersOf, type RecordOf, RGB, XY } from "../../lib/layout.ts";
import { between, pick, type Random, whole } from "../../lib/random.ts";
import { distance, type Spot, scatter } from "../../lib/torus.ts";
import type { Palette } from "../palette.ts";

/** Sites from large to small, so that cells differ in size without slivers. */
export function sitesOf(random: Random, spacing: number): Spot[] {
  const spread = between(random, 0.25, 0.95);
  const large = scatter(random, [], {
    count: whole(random, 5, 14),
    smallest: spacing,
    largest: spacing * (1 + spread),
    candidates: 20,
  });
  const medium = scatter(random, large, {
    count: 400,
    smallest: spacing * 0.62,
    largest: spacing,
    candidates: 40,
    overlap: 0.12,
  });
  const small = scatter(random, [...large, ...medium], {
    count: 300,
    smallest: spacing * 0.3,
    largest: spacing * 0.6,
    candidates: 40,
    overlap: 0.12,
  });
  return [...large, ...medium, ...small];
}

/** A site as the kernel reads it. */
export const SITE = layout({
  x: 1,
  y: 1,
  weight: 1,
  colour: RGB,
  other: RGB,
  grain: XY,
  radius: 1,
});
export type SiteRecord = RecordOf<typeof SITE>;

/** Sites as numbers, with colours that stand off the joint. */
export function siteTable(
  random: Random,
  palette: Palette,
  jointColour: Linear,
  sites: readonly Spot[],
): Float32Array {
  const all = [
    ...palette.colours,
    palette.accent,
    palette.leaf,
    mixed(palette.paper, palette.accent, 0.12),
  ];
  const colours = all.filter(
    (colour) => Math.abs(lightness(colour) - lightness(jointColour)) > 0.12,
  );
  // Colours vary slowly over the picture, a wave across and one down, with random exceptions.
  const phase = [random(), random()] as const;
  const waves = [whole(random, 0, 2), whole(random, 1, 2)] as const;
  const loose = pick(random, [0.2, 0.45, 1]);
  return Float32Array.from(
    sites.flatMap(({ x, y, radius }) => {
      const drift =
        Math.sin(2 * Math.PI * (waves[0] * x + phase[0])) +
        Math.sin(2 * Math.PI * (waves[1] * y + phase[1]));
      const place = (drift / 4 + 0.5) * 0.999 + between(random, -0.5, 0.5) * loose;
      const index = Math.floor((place - Math.floor(place)) * colours.length);
      const base = lightened(colours[index], between(random, -0.05, 0.05));
      const other = mixed(base, pick(random, all), between(random, 0.1, 0.3));
      const angle = random() * 2 * Math.PI;
      const site = {
        x,
        y,
        weight: radius * radius * 0.9,
        colour: base,
        other: lightened(other, between(random, 0, 0.07)),
        grain: [Math.cos(angle), Math.sin(angle)],
        radius,
      };
      return numbersOf(site, SITE);
    }),
  );
}

/** Cells along an edge of the grid. */
export const GRID = 24;

/** For each cell of the grid the offsets of the sites within `range` of it. */
export function siteLists(sites: readonly Spot[], range: number) {
  // Half a grid cell's diagonal added, the distance from its middle bounds that from its pixels.
  const reach = range + Math.SQRT1_2 / GRID;
  const cells = Array.from({ length: GRID * GRID }, (_, cell) => {
    const x = ((cell % GRID) + 0.5) / GRID;
    const y = (Math.floor(cell / GRID) + 0.5) / GRID;
    return sites.flatMap((site, index) =>
      distance(x, y, site) < reach ? [index * SITE.size] : [],
    );
  });
  return listsOf(cells);
}
