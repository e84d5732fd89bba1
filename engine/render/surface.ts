/** A sheet of any size: the pattern on the plane, at any scale, turned and shifted. */

import type { SourceBytes } from "../door.ts";
import { compose, invert, rotation, scaling, translation } from "../geometry/affine.ts";
import { domainOf } from "../geometry/domain.ts";
import type { Tile } from "../geometry/grid.ts";
import { isometriesOf } from "../geometry/isometries.ts";
import { squareTile } from "../geometry/square-tile.ts";
import type { Design, RenderFields } from "../recipe.ts";
import type { RenderContext } from "./context.ts";
import { linesOf } from "./lines.ts";
import { layPattern, type Samples, sampleLines } from "./sample.ts";
import { samplePeriod } from "./tile.ts";

/** A period of more pixels is not kept: the sheet is computed row by row. */
const MOST_PERIOD_PIXELS = 16_000_000;

/** Rounding a cell to whole pixels is worth it when its sides change by less than this. */
const ROUNDING = 0.001;

export interface SurfaceGeometry {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** The pattern on the sheet's pixels, or a period of it that the sheet repeats. */
  readonly tile: Tile;
  readonly periodic: boolean;
  /** Relative change of the cell's sides by rounding to whole pixels; 0 where there is none. */
  readonly strain: number;
}

/**
 * Edge a of one conventional cell on a sheet, in pixels. Left to itself a sheet shows the pattern at
 * the scale of the tile of the same size.
 */
export function cellEdge(design: Design, { cell, size, hex_cells }: RenderFields): number {
  if (cell !== undefined) return cell;
  const isometries = isometriesOf(design.group, design.lattice);
  return size / squareTile(isometries, size, hex_cells).tile.region.width;
}

/** Where a pattern lies on a sheet. `surface_width` and `surface_height` have been checked. */
export function surfaceGeometry(design: Design, fields: RenderFields): SurfaceGeometry {
  const isometries = isometriesOf(design.group, design.lattice);
  const { period } = isometries;
  const width = fields.surface_width as number;
  const height = fields.surface_height as number;
  const edge = cellEdge(design, fields);
  const onSheet = (edgeAcross: number, edgeDown: number) =>
    invert(
      compose(
        translation(fields.offset.x, fields.offset.y),
        rotation(fields.rotation),
        scaling(edgeAcross, edgeDown),
      ),
    );
  // One period in whole pixels, before the sheet is turned.
  const across = Math.max(1, Math.round(edge * period.width));
  const down = Math.max(1, Math.round(edge * period.height));
  const strain = Math.max(
    Math.abs(across / (edge * period.width) - 1),
    Math.abs(down / (edge * period.height) - 1),
  );
  const repeats =
    Number.isInteger(fields.rotation / 90) &&
    strain < ROUNDING &&
    across * down <= Math.min(width * height, MOST_PERIOD_PIXELS);
  if (!repeats) {
    const region = { width: width / edge, height: height / edge };
    const tile = { width, height, region, toPlane: onSheet(edge, edge) };
    return { width, height, tile, periodic: false, strain: 0 };
  }
  const upright = fields.rotation % 180 === 0;
  const tile = {
    width: upright ? across : down,
    height: upright ? down : across,
    region: period,
    toPlane: onSheet(across / period.width, down / period.height),
  };
  return { width, height, tile, periodic: true, strain: strain < 1e-12 ? 0 : strain };
}

/**
 * Starts a sheet. The result gives rows first … first + count − 1 when it is asked for them; the
 * memory it takes does not grow with the sheet, only with one period where the sheet repeats.
 */
export async function startSurface(
  context: RenderContext,
  design: Design,
  source: SourceBytes,
  { tile, periodic, width }: SurfaceGeometry,
): Promise<(first: number, count: number) => Promise<Samples>> {
  const domain = domainOf(isometriesOf(design.group, design.lattice));
  const edgesPerPixel = Math.max(
    Math.hypot(tile.toPlane.a, tile.toPlane.c),
    Math.hypot(tile.toPlane.b, tile.toPlane.d),
  );
  const pattern = await layPattern(context, domain, design, source, edgesPerPixel);
  if (periodic) {
    const period = await samplePeriod(context, pattern, tile);
    return async (first, count) => ({
      colour: repeat(period.colour, tile, width, first, count),
      alpha: period.alpha === null ? null : repeat(period.alpha, tile, width, first, count),
    });
  }
  return (first, count) => {
    const runs = Array.from({ length: count }, (_, k) => ({ y: first + k, from: 0, to: width }));
    return sampleLines(context, pattern, linesOf(runs, tile.toPlane));
  };
}

/** Rows of a picture that repeats `period` in both directions. */
function repeat(
  period: Float32Array,
  tile: Pick<Tile, "width" | "height">,
  width: number,
  first: number,
  count: number,
): Float32Array {
  const rows = new Float32Array(width * count);
  for (let k = 0; k < count; k++) {
    const from = ((first + k) % tile.height) * tile.width;
    const row = period.subarray(from, from + tile.width);
    for (let x = 0; x < width; x += tile.width) {
      rows.set(row.subarray(0, Math.min(tile.width, width - x)), k * width + x);
    }
  }
  return rows;
}
