/**
 * Rasterises the tiles of a band of an aperiodic sheet, in any order, with exact area coverage or with
 * edges that run into each other.
 */
import { type Affine, apply, compose, invert, type Point } from "../geometry/affine.ts";
import { linearChannel, packedFromHex, packLight } from "../image/packed.ts";
import type { Samples } from "../image/samples.ts";
import type { Aperiodic } from "../recipe/index.ts";
import type { Allocate } from "../reused-array.ts";
import type { RenderContext } from "./context.ts";
import { createCoverage, type PixelRect } from "./coverage.ts";
import type { Fill } from "./fill.ts";
import { createSalience, createSoftCoverage } from "./soft-edges.ts";
import { stroke } from "./stroke.ts";

/** A flat tile's colour, packed, and its alpha 0…255. */
export interface FlatColour {
  readonly colour: number;
  readonly alpha: number;
}

export interface Mosaic {
  /**
   * Draws the part of a tile in `block`.
   * @param corners in the shape's frame
   * @param placement from the shape's frame to the tiling's plane
   * @param toSheet from the plane to pixels of the sheet
   * @param flat colour of the whole tile, or null for the fill
   */
  draw(
    corners: readonly Point[],
    placement: Affine,
    toSheet: Affine,
    block: PixelRect,
    flat: FlatColour | null,
  ): Promise<void>;
  /** Resolves with the band's pixels after all tiles were drawn; without alpha if the fill is opaque. */
  finish(): Promise<Samples>;
}

/** Rounding tolerance of coverages: this close to 0 or 1 they count as 0 or 1. */
const ROUNDING = 1e-9;

interface MixedZone {
  /** Half its width in pixels. */
  readonly reach: number;
  /** Mean colour of the pictures, packed. */
  readonly mean: number;
  /** 0…1: how far a picture's salience decides about its share, instead of its weight alone. */
  readonly salience: number;
}

/** What lies between tiles. */
export interface TileEdges {
  /** Half the width of the outlines in pixels. */
  readonly line: number;
  /** The zone in which pictures are mixed, or null. */
  readonly zone: MixedZone | null;
}

/**
 * Creates an empty band.
 * @param allocate returns memory for its pixels and what they are mixed of
 */
export function createMosaic(
  { checkpoint }: RenderContext,
  fillQueue: FillQueue,
  { outline_colour }: Pick<Aperiodic, "outline_colour">,
  { line, zone }: TileEdges,
  band: PixelRect,
  allocate: Allocate<Float32Array>,
): Mosaic {
  const width = band.right - band.left;
  const pixels = width * (band.bottom - band.top);
  const colour = allocate(pixels).fill(0);
  const alpha = allocate(pixels).fill(255);
  const edges = createEdgeLight(allocate, pixels);
  const lines = line > 0 ? allocate(pixels).fill(0) : null;
  const weigh = zone === null ? null : weigherOf(zone);
  let covered: { readonly block: PixelRect; readonly cover: Coverage } | null = null;

  const put = (pixel: number, share: number, packed: number, opacity: number) => {
    if (share < 1 - ROUNDING) {
      const weight = weigh === null ? share : weigh(share, packed, opacity);
      return edges.add(pixel, weight, packed, opacity / 255);
    }
    colour[pixel] = packed;
    alpha[pixel] = opacity;
  };
  const { fill } = fillQueue;

  return {
    async draw(corners, placement, toSheet, block, flat) {
      const placed = compose(toSheet, placement);
      const onSheet = corners.map((corner) => apply(placed, corner));
      if (covered?.block !== block) {
        const cover = zone ? createSoftCoverage(block, zone.reach) : createCoverage(block);
        covered = { block, cover };
      }
      const back = compose(fill.place, fill.vary(placement), invert(placed));
      covered.cover(onSheet, (y, left, coverage, count) => {
        const first = (y - band.top) * width + left - band.left;
        for (let k = 0; k < count; k++) {
          const share = coverage[k];
          if (share < ROUNDING) continue;
          if (flat !== null) {
            put(first + k, share, flat.colour, flat.alpha);
            continue;
          }
          const x = left + k + 0.5;
          const px = back.a * x + back.b * (y + 0.5) + back.e;
          const py = back.c * x + back.d * (y + 0.5) + back.f;
          fillQueue.push(first + k, share, px, py);
        }
      });
      if (lines !== null) {
        onSheet.forEach((from, k) => {
          const to = onSheet[(k + 1) % onSheet.length];
          stroke(lines, band, block, from, to, line);
        });
      }
      await fillQueue.flush(put, false);
    },
    async finish() {
      await fillQueue.flush(put, true);
      edges.resolve(colour, alpha);
      await checkpoint();
      if (lines !== null) drawLines(colour, alpha, lines, packedFromHex(outline_colour));
      return { colour, alpha: fill.opaque ? null : alpha };
    },
  };
}

/** Returns a function that returns the share of a picture in a pixel, relative to those of others. */
function weigherOf({ mean, salience }: MixedZone) {
  const salienceOf = createSalience(mean);
  return (share: number, packed: number, opacity: number): number => {
    const salient = share * salienceOf(packed, opacity);
    return share * (salience === 1 ? salient : salient ** salience);
  };
}

/** Accumulates the linear light of pixels that several tiles share. */
function createEdgeLight(allocate: Allocate<Float32Array>, pixels: number) {
  const sums = allocate(5 * pixels).fill(0);
  const [red, green, blue, opaque, total] = [0, 1, 2, 3, 4].map((k) =>
    sums.subarray(k * pixels, (k + 1) * pixels),
  );
  return {
    add(pixel: number, share: number, packed: number, opacity: number) {
      const weight = share * opacity;
      red[pixel] += weight * linearChannel(packed, 16);
      green[pixel] += weight * linearChannel(packed, 8);
      blue[pixel] += weight * linearChannel(packed, 0);
      opaque[pixel] += weight;
      total[pixel] += share;
    },
    /**
     * Writes the shared pixels. Shares add up to almost 0 if one tile covers the pixel up to a rounding
     * error, else to more than 1e-3, as `LEAST` in soft-edges.ts has it.
     */
    resolve(colour: Float32Array, alpha: Float32Array) {
      for (let pixel = 0; pixel < pixels; pixel++) {
        const all = total[pixel];
        if (all < 1e-4) continue;
        const weight = Math.max(opaque[pixel], 1e-9);
        colour[pixel] = packLight(red[pixel] / weight, green[pixel] / weight, blue[pixel] / weight);
        alpha[pixel] = Math.round((255 * opaque[pixel]) / all);
      }
    },
  };
}

/** Composites outlines over pixels in linear light. */
function drawLines(
  colour: Float32Array,
  alpha: Float32Array,
  lines: Float32Array,
  ink: number,
): void {
  for (let pixel = 0; pixel < lines.length; pixel++) {
    const share = lines[pixel];
    if (share === 0) continue;
    const below = (1 - share) * (alpha[pixel] / 255);
    const opacity = share + below;
    const packed = colour[pixel];
    const mixed = (shift: 16 | 8 | 0) =>
      (share * linearChannel(ink, shift) + below * linearChannel(packed, shift)) / opacity;
    colour[pixel] = packLight(mixed(16), mixed(8), mixed(0));
    alpha[pixel] = Math.round(255 * opacity);
  }
}

type Coverage = ReturnType<typeof createCoverage>;
type PutPixel = (pixel: number, share: number, packed: number, opacity: number) => void;

export type FillQueue = ReturnType<typeof createFillQueue>;

/** Queues positions of a fill until there are enough for a kernel call. It serves the bands of a sheet in turn. */
export function createFillQueue({ runner, checkpoint }: RenderContext, fill: Fill) {
  const { chunk } = runner;
  let capacity = 2 * chunk;
  let x = new Float32Array(capacity);
  let y = new Float32Array(capacity);
  let shares = new Float32Array(capacity);
  let pixels = new Int32Array(capacity);
  let count = 0;

  const grow = () => {
    capacity *= 2;
    const larger = <T extends Float32Array | Int32Array>(old: T, fresh: T) => {
      fresh.set(old);
      return fresh;
    };
    x = larger(x, new Float32Array(capacity));
    y = larger(y, new Float32Array(capacity));
    shares = larger(shares, new Float32Array(capacity));
    pixels = larger(pixels, new Int32Array(capacity));
  };

  return {
    fill,
    push(pixel: number, share: number, px: number, py: number) {
      if (count === capacity) grow();
      x[count] = px;
      y[count] = py;
      shares[count] = share < 1 - ROUNDING ? share : 1;
      pixels[count] = pixel;
      count++;
    },
    /** Samples as many positions as fill whole calls, or all of them, and puts what is there. */
    async flush(put: PutPixel, all: boolean) {
      let done = 0;
      while (count - done >= (all ? 1 : chunk)) {
        const part = Math.min(chunk, count - done);
        const { colour, alpha } = await fill.sample(
          x.subarray(done, done + chunk),
          y.subarray(done, done + chunk),
        );
        for (let k = 0; k < part; k++) {
          const at = done + k;
          put(pixels[at], shares[at], colour[k], alpha === null ? 255 : alpha[k]);
        }
        done += part;
        await checkpoint();
      }
      if (done === 0) return;
      for (const values of [x, y, shares, pixels]) values.copyWithin(0, done, count);
      count -= done;
    },
  };
}
