/**
 * Kernel that samples a source under a plane group whose seams are cuts: each pixel shows the copy of the
 * picture that lies deepest inside its domain there, one thread a pixel.
 */
import type { Kernel } from "./kernel.ts";
import type { RecordOf } from "./lib/layout.ts";
import { packRgb } from "./lib/pack.ts";
import { lit, saturate } from "./lib/paint.ts";
import { SOURCE, type SourceThis, type Taps, tapsAt } from "./lib/source.ts";
import { stages } from "./lib/stages.ts";
import { ELEMENT, type ElementRecord, sampleElement } from "./orbit.ts";

export interface SeamThis extends SourceThis {
  readonly constants: SourceThis["constants"] & {
    /** Depths inside the domain at the nodes of a grid, in edges of the cell, negative outside; very low at its border. */
    readonly depths: readonly Float32Array[];
    /** The last column and row of the grid. */
    readonly lastNode: number;
  };
}

/** Interpolates depths. */
const depthAt = (depths: readonly Float32Array[], taps: Taps) =>
  depths[taps.upper][taps.left] * taps.upperLeft +
  depths[taps.upper][taps.right] * taps.upperRight +
  depths[taps.lower][taps.left] * taps.lowerLeft +
  depths[taps.lower][taps.right] * taps.lowerRight;

/** Returns the four nodes of the grid around the place where an element maps a position. */
const nodesAt = (element: ElementRecord, px: number, py: number, last: number): Taps =>
  tapsAt(
    element.factors[0].x * px + element.factors[0].y * py + element.factors[0].k,
    element.factors[1].x * px + element.factors[1].y * py + element.factors[1].k,
    last,
    last,
  );

/**
 * The copy that lies deepest, softened where two are about as deep.
 * @param x, y positions in the fundamental domain, relative to its centre, in cell edges
 * @param elements whose factors are maps to columns and rows of the grid
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
  const { colours, alphas, hasAlpha } = this.constants;
  const px = x[this.thread.x];
  const py = y[this.thread.x];
  let red = 0;
  let green = 0;
  let blue = 0;
  let alpha = 0;
  let total = 1;
  if (count < 2) {
    const only = sampleElement(colours, alphas, hasAlpha, elements[0], px, py, source);
    red = only.red;
    green = only.green;
    blue = only.blue;
    alpha = only.alpha;
  } else {
    let most = -1000;
    let next = -1000;
    for (let n = 0; n < count; n++) {
      const nodes = nodesAt(elements[n], px, py, this.constants.lastNode);
      const depth = depthAt(this.constants.depths, nodes);
      next = Math.max(next, Math.min(most, depth));
      most = Math.max(most, depth);
    }
    total = 0;
    for (let n = 0; n < count; n++) {
      const element = elements[n];
      const nodes = nodesAt(element, px, py, this.constants.lastNode);
      const depth = depthAt(this.constants.depths, nodes);
      let rival = next;
      if (depth < most) rival = most;
      const weight = saturate(0.5 + (depth - rival) * sharpness);
      if (weight > 0) {
        const sample = sampleElement(colours, alphas, hasAlpha, element, px, py, source);
        red += sample.red * weight;
        green += sample.green * weight;
        blue += sample.blue * weight;
        alpha += sample.alpha * weight;
        total += weight;
      }
    }
  }
  if (wanted > 0) return Math.floor(Math.min(alpha / total, 1) * 255 + 0.5);
  return packRgb(lit({ red, green, blue }, 1 / Math.max(alpha, 0.000001)));
}

/** The deepest copy of an orbit. */
export const deepestCopyKernel: Kernel = {
  run: deepestCopy,
  helpers: [sampleElement, depthAt, nodesAt, ...stages],
  records: { elements: ELEMENT, source: SOURCE },
};
