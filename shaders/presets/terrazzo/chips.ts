/** Shards as chips of stone with colours, in the tables that the kernel reads. */
import { type Linear, lightened, mixed } from "../../lib/colour.ts";
import { listsOf } from "../../lib/grid-lists.ts";
import { layout, numbersOf, type RecordOf, RGB, XY } from "../../lib/layout.ts";
import { between, pick, type Random } from "../../lib/random.ts";
import { distance } from "../../lib/torus.ts";
import type { Mix } from "./mixes.ts";
import type { Shard } from "./shards.ts";

/** A chip as the kernel reads it; its sides are those from `firstSide` to before `endOfSides`. */
export const CHIP = layout({
  x: 1,
  y: 1,
  radius: 1,
  firstSide: 1,
  endOfSides: 1,
  colour: RGB,
  other: RGB,
  grain: XY,
  clouds: 1,
  veins: 1,
  crystals: 1,
  facet: XY,
  facetLight: 1,
  rim: 1,
});
/** A side as the kernel reads it: unit normal and offset. */
export const SIDE = layout({ x: 1, y: 1, offset: 1 });
export type SideRecord = RecordOf<typeof SIDE>;
export type ChipRecord = RecordOf<typeof CHIP>;

/** Cells along an edge of the grid. */
export const GRID = 40;

/** Beyond its sides a chip still darkens the cement, and the kernel moves places about. */
const MARGIN = 0.016;

/**
 * `chips`: records; `sides`: unit normal and offset of their sides, 3 numbers each;
 * `list` and `starts`: offsets in `chips` for each of the grid's cells.
 */
export function chipTables(random: Random, mix: Mix, shards: readonly Shard[]) {
  let end = 0;
  const chips = shards.map(({ x, y, radius, sides }) => {
    const firstSide = end;
    end += SIDE.size * sides.length;
    return numbersOf({ x, y, radius, firstSide, endOfSides: end, ...stoneOf(random, mix) }, CHIP);
  });
  const cells = Array.from({ length: GRID * GRID }, (_, cell) => {
    const x = ((cell % GRID) + 0.5) / GRID;
    const y = (Math.floor(cell / GRID) + 0.5) / GRID;
    return shards.flatMap((shard, index) => (mayTouch(shard, x, y) ? [index * CHIP.size] : []));
  });
  return {
    chips: Float32Array.from(chips.flat()),
    sides: Float32Array.from(shards.flatMap(({ sides }) => sides.flat())),
    ...listsOf(cells),
  };
}

/** Whether no side keeps the shard off the cell around (x, y). */
function mayTouch(shard: Shard, x: number, y: number): boolean {
  const reach = MARGIN + Math.SQRT1_2 / GRID;
  if (distance(x, y, shard) > 4 * shard.radius + reach) return false;
  const dx = x - shard.x - Math.floor(x - shard.x + 0.5);
  const dy = y - shard.y - Math.floor(y - shard.y + 0.5);
  return shard.sides.every(([nx, ny, offset]) => dx * nx + dy * ny < offset + reach);
}

function stoneOf(random: Random, mix: Mix) {
  const colour = lightened(pick(random, mix.stones), between(random, -0.03, 0.03));
  const other: Linear = lightened(
    mixed(colour, pick(random, mix.stones), between(random, 0, 0.35) * mix.life),
    between(random, -0.09, 0.09) * mix.life,
  );
  const kind = random();
  const grain = random() * 2 * Math.PI;
  const facet = random() * 2 * Math.PI;
  return {
    colour,
    other,
    grain: [Math.cos(grain), Math.sin(grain)],
    clouds: mix.life * between(random, 0.5, 1.8),
    veins: kind < 0.35 ? mix.life * between(random, 0.2, 0.6) : 0,
    crystals: kind > 0.6 ? mix.life * between(random, 0.2, 0.7) : 0.1 * mix.life,
    facet: [Math.cos(facet), Math.sin(facet)],
    facetLight: random() < mix.faceted ? between(random, 0.1, 0.24) : 0,
    rim: mix.rim,
  };
}
