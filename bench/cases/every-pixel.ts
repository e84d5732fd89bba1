/** Evaluates a pattern pixel by pixel, without copying an asymmetric unit. */

import { domainOf } from "../../engine/geometry/domain.ts";
import { isometriesOf } from "../../engine/geometry/isometries.ts";
import { squareTile } from "../../engine/geometry/repeating-tile.ts";
import type { Samples } from "../../engine/image/samples.ts";
import type { Design, SourceBytes } from "../../engine/recipe/index.ts";
import type { RenderContext } from "../../engine/render/context.ts";
import { linesOf } from "../../engine/render/lines.ts";
import { memoryFor, placePattern, sampleLines } from "../../engine/render/sample.ts";
import { newNumbers } from "../../engine/reused-array.ts";
import { DEFAULT_FIELDS } from "./in-thread-engine.ts";

/** Samples all pixels of a tile of `size` × `size`. */
export async function everyPixel(
  context: RenderContext,
  design: Design,
  source: SourceBytes,
  size: number,
): Promise<Samples> {
  const isometries = isometriesOf(design.group, design.lattice);
  const { tile } = squareTile(isometries, size, DEFAULT_FIELDS.hex_cells);
  const scale = Math.max(tile.toPlane.a, tile.toPlane.d);
  const pattern = await placePattern(context, domainOf(isometries), design, source, scale);
  const rows = Array.from({ length: size }, (_, y) => ({ y, from: 0, to: size }));
  const into = memoryFor(pattern, size * size, newNumbers);
  return sampleLines(context, pattern, linesOf(rows, tile.toPlane), into);
}
