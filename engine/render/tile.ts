/** The square tile that repeats. */
import type { SourceBytes } from "../door.ts";
import { domainOf } from "../geometry/domain.ts";
import { asymmetricUnit, copyToOrbits, gridOperations, type Tile } from "../geometry/grid.ts";
import { isometriesOf } from "../geometry/isometries.ts";
import { type SquareTile, squareTile } from "../geometry/square-tile.ts";
import type { Design, RenderFields } from "../recipe.ts";
import type { RenderContext } from "./context.ts";
import { linesOf } from "./lines.ts";
import { type LaidPattern, layPattern, type Samples, sampleLines } from "./sample.ts";

/** Renders a tile: samples one asymmetric unit of its pixel grid and copies the rest. */
export async function renderTile(
  context: RenderContext,
  design: Design,
  source: SourceBytes,
  size: number,
  hexCells: RenderFields["hex_cells"],
): Promise<Samples & Pick<SquareTile, "strain">> {
  const isometries = isometriesOf(design.group, design.lattice);
  const { tile, strain } = squareTile(isometries, size, hexCells);
  const pattern = await layPattern(
    context,
    domainOf(isometries),
    design,
    source,
    Math.max(tile.toPlane.a, tile.toPlane.d),
  );
  return { ...(await samplePeriod(context, pattern, tile)), strain };
}

/** Samples a region that repeats, evaluating no orbit of pixels twice. */
export async function samplePeriod(
  context: RenderContext,
  pattern: LaidPattern,
  tile: Tile,
): Promise<Samples> {
  const operations = gridOperations(pattern.domain.isometries, tile);
  const unit = asymmetricUnit(operations, tile);
  const { colour, alpha } = await sampleLines(context, pattern, linesOf(unit, tile.toPlane));
  return {
    colour: copyToOrbits(colour, unit, operations, tile),
    alpha: alpha === null ? null : copyToOrbits(alpha, unit, operations, tile),
  };
}
