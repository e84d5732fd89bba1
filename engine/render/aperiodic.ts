/** A sheet of an aperiodic tiling, every tile filled from the source. */
import { sizeOf } from "../check.ts";
import type { SourceBytes } from "../door.ts";
import {
  type Affine,
  apply,
  compose,
  invert,
  rotation,
  scaling,
  translation,
} from "../geometry/affine.ts";
import type { Aperiodic, Design, RenderFields } from "../recipe.ts";
import { tilingKinds } from "../tilings/catalogue.ts";
import { areaOf } from "../tilings/polygon.ts";
import type { Box, Tiling } from "../tilings/tiling.ts";
import type { RenderContext } from "./context.ts";
import type { Block } from "./coverage.ts";
import { fillsOf } from "./fill.ts";
import { createFlatColours } from "./flat-colours.ts";
import { createMosaic, type FilledShape } from "./mosaic.ts";
import type { PatternChain } from "./pattern-chain.ts";
import { startQuasicrystal } from "./quasicrystal.ts";
import type { SheetRows } from "./surface.ts";

/** From the plane of a tiling, whose unit is the edge of a tile, to pixels of the sheet. */
const toSheetOf = ({ offset, rotation: degrees }: RenderFields, edge: number): Affine =>
  compose(translation(offset.x, offset.y), rotation(degrees), scaling(edge, edge));

/** Pixels. Smaller ones could not be told apart, and a far offset would leave the tiling's reach. */
const SMALLEST_EDGE = 2;

/** Side of a square as large as a tiling's largest tile, in edges. */
const sideOf = ({ classes }: Tiling): number =>
  Math.sqrt(Math.max(...classes.map(({ corners }) => Math.abs(areaOf(corners)))));

/** Edge of a tile in pixels. Left to itself, the largest tile is an eighth of the size wide. */
const edgeOf = ({ cell, size }: RenderFields, tiling: Tiling): number =>
  cell ?? Math.max(SMALLEST_EDGE, size / 8 / sideOf(tiling));

/** Starts an aperiodic sheet. The memory it takes does not grow with the sheet's height. */
export async function startAperiodic(
  context: RenderContext,
  design: Design,
  source: SourceBytes,
  chain: PatternChain,
  fields: RenderFields,
): Promise<SheetRows> {
  const { aperiodic } = fields;
  const { width } = sizeOf(fields);
  if (aperiodic.kind === "quasicrystal") {
    const edge = fields.cell ?? fields.size / 8;
    const toPlane = invert(toSheetOf(fields, edge));
    const sheet = { design, source, chain, aperiodic, width, toPlane, edge };
    return startQuasicrystal(context, sheet);
  }
  const tiling = tilingOf(aperiodic);
  const edge = edgeOf(fields, tiling);
  const toSheet = toSheetOf(fields, edge);
  const outlines = tiling.classes.map(({ corners }) => corners);
  const fills = await fillsOf(context, design, source, chain, outlines, 1 / edge);
  const shapes = tiling.classes.map(
    ({ corners }, index): FilledShape => ({ corners, fill: fills[index] as FilledShape["fill"] }),
  );
  const line = (aperiodic.outline_width * edge * sideOf(tiling)) / 2;
  const flatColour = createFlatColours(context);
  return {
    async rows(first, count) {
      const band = { left: 0, top: first, right: width, bottom: first + count };
      const mosaic = createMosaic(context, aperiodic, line, band);
      for (const block of blocksOf(band, fields.rotation)) {
        for (const tile of tiling.tilesIn(boxOf(block, toSheet, line))) {
          const shape = shapes[tile.class] as FilledShape;
          const flat =
            aperiodic.fill === "flat" ? await flatColour(shape, tile.class, tile.placement) : null;
          await mosaic.lay(shape, compose(toSheet, tile.placement), block, flat);
        }
        await context.checkpoint();
      }
      return mosaic.finish();
    },
    end() {
      for (const fill of fills) fill.end?.();
    },
  };
}

function tilingOf({ kind, n, seed }: Aperiodic): Tiling {
  const row = tilingKinds.find(({ id }) => id === kind);
  if (row === undefined) throw new Error(`there is no tiling ${kind}, and the recipe was checked`);
  return row.tilingOf({ n, seed });
}

/** A band in pieces: the upright box around a band that lies askew on the tiling is far larger. */
function blocksOf(band: Block, degrees: number): Block[] {
  if (Number.isInteger(degrees / 90)) return [band];
  const side = Math.max(64, 2 * (band.bottom - band.top));
  return Array.from({ length: Math.ceil((band.right - band.left) / side) }, (_, index) => ({
    ...band,
    left: band.left + index * side,
    right: Math.min(band.right, band.left + (index + 1) * side),
  }));
}

/** The box of the plane that holds all tiles that leave a trace in a block. */
function boxOf(block: Block, toSheet: Affine, line: number): Box {
  const toPlane = invert(toSheet);
  const margin = line + 1;
  const corners = [block.left - margin, block.right + margin].flatMap((x) =>
    [block.top - margin, block.bottom + margin].map((y) => apply(toPlane, { x, y })),
  );
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  return {
    left: Math.min(...xs),
    top: Math.min(...ys),
    right: Math.max(...xs),
    bottom: Math.max(...ys),
  };
}
