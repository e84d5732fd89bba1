/** The tile of a render: a square of whole periods, or a single period in its true shape. */
import type { RenderFields } from "../recipe/index.ts";
import type { Size } from "../size.ts";
import { scaling } from "./affine.ts";
import type { Tile } from "./grid.ts";
import type { Isometries } from "./isometries.ts";

/** A tile that repeats, and how far it squeezes the pattern. */
export interface RepeatingTile {
  readonly tile: Tile;
  /** Relative difference of the scales across and down; 0 where whole periods fit exactly. */
  readonly strain: number;
}

/** The fields of a render that select its tile. */
export type TileFields = Pick<RenderFields, "tile" | "size" | "hex_cells">;

/** Returns the tile that a render's fields select. */
export const tileOf = (isometries: Isometries, { tile, size, hex_cells }: TileFields) =>
  tile === "cell" ? cellTile(isometries, size) : squareTile(isometries, size, hex_cells);

/**
 * Returns the tile of one period whose longer side has `size` pixels. The shorter side is rounded to
 * an even number, so that operations that shift by half a period map pixels onto pixels.
 */
export function cellTile({ period }: Pick<Isometries, "period">, size: number): RepeatingTile {
  const longer = Math.max(period.width, period.height);
  const pixels = (length: number) =>
    length === longer ? size : 2 * Math.max(1, Math.round((size * length) / longer / 2));
  const width = pixels(period.width);
  const height = pixels(period.height);
  const toPlane = scaling(period.width / width, period.height / height);
  return {
    tile: { width, height, region: period, toPlane },
    strain: strainOf({ width: toPlane.a, height: toPlane.d }),
  };
}

/** Strain up to this is preferred to a tile of more cells. */
const ACCEPTED_STRAIN = 0.0105;
const MAX_CELLS = 12;

/**
 * The square of `size` pixels that holds whole periods of a group, m across and n down, so that
 * its pixels are nearly square on the plane: one period where that is square already, `hexCells`
 * for the hexagonal groups, the fewest with at most 1 % of strain for other ratios.
 */
export function squareTile(
  { group, period }: Isometries,
  size: number,
  hexCells: RenderFields["hex_cells"],
): RepeatingTile {
  const [across, down] =
    group.lattice === "hexagonal" ? parseCells(hexCells) : cellsFor(period.height / period.width);
  const region = { width: across * period.width, height: down * period.height };
  return {
    tile: {
      width: size,
      height: size,
      region,
      toPlane: scaling(region.width / size, region.height / size),
    },
    strain: strainOf(region),
  };
}

/** Returns the relative difference of two lengths that should be equal. */
function strainOf({ width, height }: Size): number {
  return Math.max(width / height, height / width) - 1;
}

const parseCells = (text: string) => text.split("x").map(Number);

/** Periods across and down for a period of this height : width. */
function cellsFor(ratio: number): [number, number] {
  let best: [number, number] = [1, 1];
  let least = strainOf({ width: 1, height: ratio });
  for (let cells = 1; cells <= MAX_CELLS * MAX_CELLS && least > ACCEPTED_STRAIN; cells++) {
    for (let across = 1; across <= Math.min(cells, MAX_CELLS); across++) {
      const down = cells / across;
      if (!Number.isInteger(down) || down > MAX_CELLS) continue;
      const strain = strainOf({ width: across, height: down * ratio });
      if (strain < least - 1e-12) {
        least = strain;
        best = [across, down];
      }
    }
  }
  return best;
}
