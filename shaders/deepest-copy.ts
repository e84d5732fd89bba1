/**
 * Kernel that samples a source under a plane group whose seams are cuts: each pixel shows the copy of the
 * picture that lies deepest inside its domain there, one thread a pixel.
 */
import type { Kernel } from "./kernel.ts";
import type { RecordOf, Rgb } from "./lib/layout.ts";
import { withLight } from "./lib/light.ts";
import { encodeRgb, packRgb, packRounded } from "./lib/pack.ts";
import { lit, saturate } from "./lib/paint.ts";
import { SOURCE, type SourceSample, type SourceThis, type Taps, tapsAt } from "./lib/source.ts";
import { stages } from "./lib/stages.ts";
import { ELEMENT, type ElementRecord, sampleElement } from "./orbit.ts";

/** Depth at the border of a table: no copy is shown from there or beyond. */
export const NOWHERE = -1000;

export interface SeamThis extends SourceThis {
  readonly constants: SourceThis["constants"] & {
    /**
     * Tables one below the other: of depths inside the domain, in edges of the cell, negative outside; then, for a source
     * without alpha, of what is added to its encoded channels, 0…1. One constant, because a GPU takes eight arrays.
     */
    readonly seam: readonly Float32Array[];
    /** The last column and row of a table. */
    readonly lastNode: number;
  };
}

/** A sample as it is shown: encoded, 0…1, without alpha; else in linear light, premultiplied. */
interface ShownSample extends Rgb {
  readonly alpha: number;
}

/** Interpolates the table that begins at row `first`. */
const valueAt = (seam: readonly Float32Array[], first: number, taps: Taps) =>
  seam[first + taps.upper][taps.left] * taps.upperLeft +
  seam[first + taps.upper][taps.right] * taps.upperRight +
  seam[first + taps.lower][taps.left] * taps.lowerLeft +
  seam[first + taps.lower][taps.right] * taps.lowerRight;

/** Returns the four nodes of a table around the place where an element maps a position. */
const nodesAt = (element: ElementRecord, px: number, py: number, last: number): Taps =>
  tapsAt(
    element.factors[0].x * px + element.factors[0].y * py + element.factors[0].k,
    element.factors[1].x * px + element.factors[1].y * py + element.factors[1].k,
    last,
    last,
  );

/**
 * Encodes a sample and adds the correction of the seam. Pixels that stay squares of one colour are not corrected: it would
 * differ within them.
 */
function corrected(
  seam: readonly Float32Array[],
  nodes: Taps,
  rows: number,
  sample: SourceSample,
  edges: number,
): ShownSample {
  const encoded = encodeRgb({
    red: saturate(sample.red),
    green: saturate(sample.green),
    blue: saturate(sample.blue),
  });
  const share = edges > 0 ? 0 : 1;
  return {
    red: saturate(encoded.red + share * valueAt(seam, rows, nodes)),
    green: saturate(encoded.green + share * valueAt(seam, 2 * rows, nodes)),
    blue: saturate(encoded.blue + share * valueAt(seam, 3 * rows, nodes)),
    alpha: 1,
  };
}

/**
 * The copy that lies deepest, softened where two are about as deep: encoded channels are mixed there, unless the source
 * has alpha.
 * @param x, y positions in the fundamental domain, relative to its centre, in cell edges
 * @param elements whose factors are maps to columns and rows of a table
 * @param count number of elements
 * @param sharpness pixels in an edge of the cell
 * @param wanted 0: packed colours, 1: alphas, 0…255
 */
function deepestCopy(
  this: SeamThis,
  x: Float32Array,
  y: Float32Array,
  elements: readonly ElementRecord[],
  count: number,
  sharpness: number,
  wanted: number,
  source: RecordOf<typeof SOURCE>,
): number {
  const { colours, alphas, hasAlpha, seam, lastNode } = this.constants;
  const rows = lastNode + 1;
  const px = x[this.thread.x];
  const py = y[this.thread.x];
  let red = 0;
  let green = 0;
  let blue = 0;
  let alpha = 0;
  let total = 1;
  if (count < 2) {
    const only = sampleElement(colours, alphas, hasAlpha, elements[0], px, py, source);
    let shown: ShownSample = only;
    if (hasAlpha < 1) {
      const nodes = nodesAt(elements[0], px, py, lastNode);
      shown = corrected(seam, nodes, rows, only, source.edges);
    }
    red = shown.red;
    green = shown.green;
    blue = shown.blue;
    alpha = shown.alpha;
  } else {
    let most = NOWHERE;
    let next = NOWHERE;
    for (let n = 0; n < count; n++) {
      const nodes = nodesAt(elements[n], px, py, lastNode);
      const depth = valueAt(seam, 0, nodes);
      next = Math.max(next, Math.min(most, depth));
      most = Math.max(most, depth);
    }
    total = 0;
    for (let n = 0; n < count; n++) {
      const element = elements[n];
      const nodes = nodesAt(element, px, py, lastNode);
      const depth = valueAt(seam, 0, nodes);
      let rival = next;
      if (depth < most) rival = most;
      const weight = saturate(0.5 + (depth - rival) * sharpness);
      if (weight > 0) {
        const sample = sampleElement(colours, alphas, hasAlpha, element, px, py, source);
        let shown: ShownSample = sample;
        if (hasAlpha < 1) shown = corrected(seam, nodes, rows, sample, source.edges);
        red += shown.red * weight;
        green += shown.green * weight;
        blue += shown.blue * weight;
        alpha += shown.alpha * weight;
        total += weight;
      }
    }
  }
  if (wanted > 0) return Math.floor(Math.min(alpha / total, 1) * 255 + 0.5);
  const whole = lit({ red, green, blue }, 1 / Math.max(alpha, 0.000001));
  if (hasAlpha > 0) return packRgb(whole);
  return packRounded(255 * whole.red, 255 * whole.green, 255 * whole.blue);
}

/** The deepest copy of an orbit. */
export const deepestCopyKernel: Kernel = {
  run: deepestCopy,
  helpers: [sampleElement, valueAt, nodesAt, corrected, ...stages],
  records: { elements: ELEMENT, source: SOURCE },
  literals: { NOWHERE },
};

/** The deepest copy of an orbit of a source's light. */
export const deepestCopyOfLightKernel: Kernel = withLight(deepestCopyKernel);
