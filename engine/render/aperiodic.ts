/** Renders a sheet of an aperiodic tiling, every tile filled from the source. */

import {
  type Affine,
  apply,
  compose,
  invert,
  type Point,
  rotation,
  scaling,
  translation,
} from "../geometry/affine.ts";
import { boxOf } from "../geometry/window.ts";
import { sheetSize } from "../recipe/check.ts";
import {
  type Aperiodic,
  type Design,
  type RenderFields,
  type SourceBytes,
  tileEdgesOf,
} from "../recipe/index.ts";
import { type Allocate, createRowMemory } from "../reused-array.ts";
import { tilings } from "../tilings/catalogue.ts";
import { areaOf } from "../tilings/polygon.ts";
import type { Box, Tiling } from "../tilings/tiling.ts";
import type { RenderContext } from "./context.ts";
import type { PixelRect } from "./coverage.ts";
import { type Fill, fillOf, MAX_TEXTURE_PIXELS } from "./fill.ts";
import { createFlatColours, meanColour } from "./flat-colours.ts";
import { createFillQueue, createMosaic } from "./mosaic.ts";
import { needsPeriod } from "./pattern-chain.ts";
import { startQuasicrystal, WAVES_BOX } from "./quasicrystal.ts";
import type { SheetRows } from "./surface.ts";
import { WHOLE_PARTS } from "./tile-variation.ts";

/** Returns the map from the tiling's plane, in tile edges, to pixels of the sheet. */
const toSheetOf = ({ offset, rotation: degrees }: RenderFields, edge: number): Affine =>
  compose(translation(offset.x, offset.y), rotation(degrees), scaling(edge, edge));

/** Pixels. Smaller tiles are indistinguishable, and far offsets would exceed the tiling's reach. */
const SMALLEST_EDGE = 2;

/** Pixels. Half of this zone is as wide as the smoothing of an edge; up to the wider one salience sets in. */
const NARROWEST_ZONE = 0.5;
const SALIENT_ZONE = 2;

/** Returns the side of a square with the area of the largest tile, in edges. */
const sideOf = ({ classes }: Tiling): number =>
  Math.sqrt(Math.max(...classes.map(({ corners }) => Math.abs(areaOf(corners)))));

/** Returns the edge of a tile in pixels, by default for a largest tile with a side of `size / 8`. */
const tileEdge = ({ cell, size }: RenderFields, tiling: Tiling): number =>
  cell ?? Math.max(SMALLEST_EDGE, size / 8 / sideOf(tiling));

/**
 * Returns the edge, in the unit of `side`, for which the largest tile has the area of a square of this
 * side. For a quasicrystal, whose edge is the wavelength's unit, that is `side` itself.
 */
export function edgeForSide(aperiodic: Aperiodic, side: number): number {
  const tiling = tilingOf(aperiodic);
  return tiling === null ? side : side / sideOf(tiling);
}

/** Returns the corners of all shapes that are filled from the source, in edges. */
export const cornersOfShapes = (aperiodic: Aperiodic): readonly Point[] =>
  tilingOf(aperiodic)?.classes.flatMap(({ corners }) => corners) ?? WAVES_BOX;

/** Returns the most pixels to which effects that need a period are applied, before a sheet is drawn. */
export function periodPixels(design: Design, fields: RenderFields): number {
  if (!needsPeriod(design)) return 0;
  const { aperiodic } = fields;
  const tiling = tilingOf(aperiodic);
  const edge = tiling === null ? (fields.cell ?? fields.size / 8) : tileEdge(fields, tiling);
  const radius = Math.max(...cornersOfShapes(aperiodic).map(({ x, y }) => Math.hypot(x, y)));
  const parts = aperiodic.variation === "parts" ? WHOLE_PARTS : 1;
  return Math.min(MAX_TEXTURE_PIXELS, parts * (2 * radius * edge) ** 2);
}

/** Starts an aperiodic sheet. Its memory use is independent of the sheet's height. */
export async function startAperiodic(
  context: RenderContext,
  design: Design,
  source: SourceBytes,
  fields: RenderFields,
): Promise<SheetRows> {
  const { aperiodic } = fields;
  const { width } = sheetSize(fields);
  const tiling = tilingOf(aperiodic);
  if (tiling === null) {
    const edge = fields.cell ?? fields.size / 8;
    const toPlane = invert(toSheetOf(fields, edge));
    const sheet = { design, source, aperiodic, width, toPlane, edge };
    return startQuasicrystal(context, sheet);
  }
  const edge = tileEdge(fields, tiling);
  const toSheet = toSheetOf(fields, edge);
  const shapes = tiling.classes.map(({ corners }) => corners);
  const side = edge * sideOf(tiling);
  const { outline, blend } = tileEdgesOf(aperiodic);
  const [line, reach] = [(outline * side) / 2, (blend * side) / 2];
  const isSoft = reach > NARROWEST_ZONE;
  const { seed, variation = "none" } = aperiodic;
  const shown = {
    variation: aperiodic.fill === "image" ? variation : "none",
    seed,
    reach: reach / edge,
  } as const;
  const fill = await fillOf(context, design, source, shapes.flat(), 1 / edge, shown);
  const isVaried = aperiodic.fill === "varied";
  const flatColour = createFlatColours(context, design, source, fill, shapes, isVaried);
  const zone = isSoft
    ? {
        reach,
        mean: await meanOf(context, fill, shapes[0]),
        salience: Math.min((reach - NARROWEST_ZONE) / (SALIENT_ZONE - NARROWEST_ZONE), 1),
      }
    : null;
  const visible = Math.max(line, zone ? reach : 0);
  const queue = createFillQueue(context, fill);
  const draw = async (band: PixelRect, allocate: Allocate<Float32Array>) => {
    const mosaic = createMosaic(context, queue, aperiodic, { line, zone }, band, allocate);
    for (const block of blocksOf(band, fields.rotation, edge)) {
      for (const tile of tiling.tilesIn(planeOf(block, toSheet, visible))) {
        const corners = shapes[tile.class];
        const flat =
          aperiodic.fill === "image" ? null : await flatColour(tile.class, tile.placement);
        await mosaic.draw(corners, tile.placement, toSheet, block, flat);
      }
      await context.checkpoint();
    }
    return mosaic.finish();
  };
  const memory = createRowMemory(context.pictureMemory);
  return {
    rows: (first, count) =>
      memory.rows((allocate) =>
        draw({ left: 0, top: first, right: width, bottom: first + count }, allocate),
      ),
    end() {
      fill.end?.();
      memory.end();
    },
  };
}

/** Resolves with the mean colour of a fill, which ends if it cannot be computed. */
async function meanOf(context: RenderContext, fill: Fill, shape: readonly Point[]) {
  try {
    return (await meanColour(context, fill, shape)).colour;
  } catch (error) {
    fill.end?.();
    throw error;
  }
}

/** Returns the tiling, or null for a quasicrystal. */
const tilingOf = ({ kind, n, seed }: Aperiodic): Tiling | null =>
  kind === "quasicrystal" ? null : tilings[kind]({ n, seed });

/** Square edges: the area of a tiling that is enumerated at once, which takes some milliseconds. */
const BLOCK_AREA = 4096;

/** Pixels. Much narrower blocks would mostly enumerate their neighbours' tiles. */
const NARROWEST_BLOCK = 64;

/**
 * Divides a band into blocks of a few thousand tiles, at most twice as wide as high if it is rotated
 * against the tiling, where the axis-aligned box around a longer block would be far larger.
 */
function blocksOf(band: PixelRect, degrees: number, edge: number): PixelRect[] {
  const [width, height] = [band.right - band.left, band.bottom - band.top];
  const most = Math.floor((BLOCK_AREA * edge * edge) / height);
  const side = Math.max(
    NARROWEST_BLOCK,
    Number.isInteger(degrees / 90) ? most : Math.min(most, 2 * height),
  );
  return Array.from({ length: Math.ceil(width / side) }, (_, index) => ({
    ...band,
    left: band.left + index * side,
    right: Math.min(band.right, band.left + (index + 1) * side),
  }));
}

/**
 * Returns the box of the plane that contains all tiles visible in a block.
 * @param reach pixels by which tiles are visible beyond their edges
 */
function planeOf(block: PixelRect, toSheet: Affine, reach: number): Box {
  const toPlane = invert(toSheet);
  const margin = reach + 1;
  const corners = [block.left - margin, block.right + margin].flatMap((x) =>
    [block.top - margin, block.bottom + margin].map((y) => apply(toPlane, { x, y })),
  );
  const { min, max } = boxOf(corners);
  return { left: min.x, top: min.y, right: max.x, bottom: max.y };
}
