/** Renders a sheet of any size: the pattern at any scale, rotation and offset. */

import { compose, invert, rotation, scaling, translation } from "../geometry/affine.ts";
import { domainOfDesign, isometriesOfDesign } from "../geometry/counterchange.ts";
import type { Domain } from "../geometry/domain.ts";
import { edgesPerPixelOf, type Tile } from "../geometry/grid.ts";
import type { Isometries } from "../geometry/isometries.ts";
import { squareTile } from "../geometry/repeating-tile.ts";
import type { SampledImage, Samples } from "../image/samples.ts";
import { sheetSize } from "../recipe/check.ts";
import type { Design, RenderFields, SourceBytes } from "../recipe/index.ts";
import { borrowFrom, createRowMemory } from "../reused-array.ts";
import type { Size } from "../size.ts";
import type { RenderContext } from "./context.ts";
import { exchange, signsAlong } from "./counterchange.ts";
import { linesOf } from "./lines.ts";
import { applyPointwise, chainOf, needsPeriod } from "./pattern-chain.ts";
import { memoryFor, placePattern, sampleLines } from "./sample.ts";
import { bindTexture, sampleTexture } from "./texture.ts";
import { samplePeriod } from "./tile.ts";

/** Most pixels of a period that is computed as a whole; otherwise the sheet is computed row by row. */
const MAX_PERIOD_PIXELS = 16_000_000;

/** Resolution of a resampled period relative to the sheet. */
const FINER = 1.25;

/** Largest relative change of a cell's sides by rounding to whole pixels. */
const ROUNDING = 0.001;

export interface SurfaceGeometry extends Size {
  /** Pixel grid of the sheet, or of the period that it repeats. */
  readonly tile: Tile;
  readonly periodic: boolean;
  /** Relative change of the cell's sides by rounding to whole pixels; 0 without rounding. */
  readonly strain: number;
  /** Default: that of the design's group. */
  readonly domain?: Domain;
}

/**
 * Returns the edge a of a conventional cell on a sheet, in pixels. By default a sheet has the scale of
 * the tile of the same `size`.
 */
export function cellEdge(design: Design, fields: RenderFields): number {
  if (fields.cell !== undefined) return fields.cell;
  const isometries = isometriesOfDesign(design);
  const { period } = isometries;
  if (fields.tile === "cell") return fields.size / Math.max(period.width, period.height);
  return fields.size / squareTile(isometries, fields.size, fields.hex_cells).tile.region.width;
}

/** Returns the placement of a pattern on a sheet. */
export function surfaceGeometry(design: Design, fields: RenderFields): SurfaceGeometry {
  // Effects on a period need one even if the sheet is smaller.
  const wantsPeriod = needsPeriod(design);
  const isometries = isometriesOfDesign(design);
  const { period } = isometries;
  const { width, height } = sheetSize(fields);
  const edge = cellEdge(design, fields);
  const onSheet = (edgeAcross: number, edgeDown: number) =>
    invert(
      compose(
        translation(fields.offset.x, fields.offset.y),
        rotation(fields.rotation),
        scaling(edgeAcross, edgeDown),
      ),
    );
  // The period in whole pixels, before rotation.
  const across = Math.max(1, Math.round(edge * period.width));
  const down = Math.max(1, Math.round(edge * period.height));
  const strain = Math.max(
    Math.abs(across / (edge * period.width) - 1),
    Math.abs(down / (edge * period.height) - 1),
  );
  const repeats =
    Number.isInteger(fields.rotation / 90) &&
    strain < ROUNDING &&
    across * down <= MAX_PERIOD_PIXELS &&
    (wantsPeriod || across * down <= width * height);
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
 * Returns the geometry of a sheet that shows one period and a margin of its neighbours.
 * @param pixels of the period
 * @param margin in pixels, on each side
 */
export function periodGeometry(
  { period }: Pick<Isometries, "period">,
  pixels: PerSide,
  margin: PerSide,
): SurfaceGeometry {
  const width = pixels.across + 2 * margin.across;
  const height = pixels.down + 2 * margin.down;
  const toPlane = invert(
    compose(
      translation(margin.across, margin.down),
      scaling(pixels.across / period.width, pixels.down / period.height),
    ),
  );
  if (pixels.across * pixels.down <= MAX_PERIOD_PIXELS) {
    const tile = { width: pixels.across, height: pixels.down, region: period, toPlane };
    return { width, height, tile, periodic: true, strain: 0 };
  }
  const region = { width: width * toPlane.a, height: height * toPlane.d };
  return { width, height, tile: { width, height, region, toPlane }, periodic: false, strain: 0 };
}

/** A value for each axis. */
interface PerSide {
  readonly across: number;
  readonly down: number;
}

/** The rows of a sheet that is being rendered. */
export interface SheetRows {
  /** Resolves with rows first … first + count − 1, in memory that the next call may use again. */
  rows(first: number, count: number): Promise<Samples>;
  /** The picture that the sheet repeats from its top left corner, if it does. */
  readonly period?: SampledImage;
  /** Releases memory, of the device and of what `rows` and `period` returned. */
  end?(): void;
}

/** Returns the pixels of the period that a sheet computes before its first row, or 0. */
export function periodPixels(design: Design, geometry: SurfaceGeometry): number {
  const { tile, periodic } = geometry;
  if (periodic) return tile.width * tile.height;
  if (!needsPeriod(design)) return 0;
  const { period } = geometry.domain?.isometries ?? isometriesOfDesign(design);
  const finer = finerPeriod(period, edgesPerPixelOf(tile));
  return finer.width * finer.height;
}

/**
 * Starts a sheet with its pattern effects. Its memory use grows with the period if it needs one, not
 * with the sheet.
 */
export async function startSurface(
  context: RenderContext,
  design: Design,
  source: SourceBytes,
  { tile, periodic, width, domain = domainOfDesign(design) }: SurfaceGeometry,
): Promise<SheetRows> {
  const chain = await chainOf(context, design, source);
  const place = (edgesPerPixel: number) =>
    placePattern(context, domain, design, source, edgesPerPixel);
  const periodOf = (grid: Tile, edgesPerPixel: number) =>
    context.periods.of([source.sha256, design, grid], async () => {
      const { allocate, giveBack } = borrowFrom(context.pictureMemory);
      const pattern = await place(edgesPerPixel);
      return { ...(await samplePeriod(context, pattern, chain, grid, { allocate })), giveBack };
    });
  const edgesPerPixel = edgesPerPixelOf(tile);
  const memory = createRowMemory(context.pictureMemory);
  if (periodic) {
    const { colour, alpha } = await periodOf(tile, edgesPerPixel);
    return {
      period: { colour, alpha, width: tile.width, height: tile.height },
      rows: (first, count) =>
        memory.rows(async (allocate) => {
          const repeated = (period: Float32Array) =>
            repeatRows(period, tile, first, { width, height: count }, allocate(width * count));
          return { colour: repeated(colour), alpha: alpha && repeated(alpha) };
        }),
      end: memory.end,
    };
  }
  if (chain.onPeriod.length > 0) {
    const finer = finerPeriod(domain.isometries.period, edgesPerPixel);
    const period = await periodOf(finer, finer.toPlane.a);
    return startTextured(context, period, finer, tile, width);
  }
  const pattern = await place(edgesPerPixel);
  return {
    rows: (first, count) =>
      memory.rows(async (allocate) => {
        const lines = linesOf(rowRuns(first, count, width), tile.toPlane);
        const into = memoryFor(pattern, width * count, allocate);
        const sampled = await sampleLines(context, pattern, lines, into);
        const samples = await applyPointwise(context, chain.pointwise, sampled);
        return domain.isometries.exchanging === undefined
          ? samples
          : exchange(samples, signsAlong(domain, lines, chain.isFlat ? 0 : edgesPerPixel));
      }),
    end: memory.end,
  };
}

const rowRuns = (first: number, count: number, width: number) =>
  Array.from({ length: count }, (_, k) => ({ y: first + k, from: 0, to: width }));

/**
 * Returns the pixel grid of a period for a sheet that is rotated or scaled against it: a little finer
 * than the sheet, so that interpolation costs no sharpness.
 */
function finerPeriod(period: Isometries["period"], edgesPerPixel: number): Tile {
  const most = Math.sqrt(MAX_PERIOD_PIXELS / (period.width * period.height));
  const perEdge = Math.min(FINER / edgesPerPixel, most);
  // A multiple of 4, so that the group's operations map pixels onto pixels.
  const pixels = (edges: number) => Math.max(4, Math.floor((edges * perEdge) / 4) * 4);
  const [width, height] = [pixels(period.width), pixels(period.height)];
  const toPlane = scaling(period.width / width, period.height / height);
  return { width, height, region: period, toPlane };
}

/** Starts a sheet that interpolates a finished period. */
function startTextured(
  context: RenderContext,
  period: Samples,
  grid: Tile,
  sheet: Tile,
  width: number,
): SheetRows {
  const texture = bindTexture(context.runner, period, grid.width);
  const toTexture = compose(translation(-0.5, -0.5), invert(grid.toPlane), sheet.toPlane);
  return {
    async rows(first, count) {
      const lines = linesOf(rowRuns(first, count, width), toTexture);
      return sampleTexture(context, texture, lines, grid);
    },
    end: texture.release,
  };
}

/** Fills an array with rows first … first + count − 1 of a picture that repeats `period` in both directions. */
function repeatRows(
  period: Float32Array,
  tile: Size,
  first: number,
  { width, height: count }: Size,
  into: Float32Array,
): Float32Array {
  for (let k = 0; k < count; k++) {
    const from = ((first + k) % tile.height) * tile.width;
    const row = period.subarray(from, from + tile.width);
    for (let x = 0; x < width; x += tile.width) {
      into.set(row.subarray(0, Math.min(tile.width, width - x)), k * width + x);
    }
  }
  return into;
}
