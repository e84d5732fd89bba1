/** The tile of a render: a square of whole periods, or a single period in its true shape. */
import type { RenderFields } from "../recipe/index.ts";
import { scaling } from "./affine.ts";
import type { Isometries } from "./isometries.ts";
import { type RepeatingTile, squareTile, strainOf } from "./square-tile.ts";

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
