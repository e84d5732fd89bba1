/**
 * The kernel that samples a source under a plane group. Positions come folded into the
 * fundamental domain, one thread a pixel.
 *
 * The source is bound as a constant: linear light, channels interleaved (`stride` 3, or 4 with
 * alpha premultiplied), so that it is copied to the device once. A pixel leaves as one number:
 * bound with `wanted` 0 its colour, r·65536 + g·256 + b in sRGB; bound with `wanted` 1 its alpha,
 * 0…255. `lay.ts` holds the same sampling for a single element: they change together.
 */
import type { Kernel, KernelThis } from "./kernel.ts";

/** What a source is bound as. */
export interface SourceThis extends KernelThis {
  readonly constants: {
    /** 0: colours, 1: alpha. */
    readonly wanted: number;
    /**
     * Rows of `width` × `stride` numbers. Two indices, because gpu.js computes in 32-bit floats:
     * a single one would lose pixels beyond 2²⁴, where two become integers first.
     */
    readonly source: readonly Float32Array[];
    /** Pixels. */
    readonly width: number;
    readonly height: number;
    /** Numbers a pixel: 3 or 4. */
    readonly stride: number;
    /** Square root of the luminance of the source's mean colour. */
    readonly meanLightness: number;
    /** sRGB bytes over the square root of linear light. */
    readonly transfer: Float32Array;
    /** The transfer table's last index. */
    readonly transferTop: number;
  };
}

/**
 * The windowed orbit: the weighted mean of the source at g·p over the elements g of a window.
 * @param x, y positions in the fundamental domain, relative to its centre, in cell edges
 * @param elements the window's table, 14 numbers an element
 * @param count how many elements
 * @param keepContrast 1 to give the lightness back the deviation from its mean that mixing takes
 */
function orbit(
  this: SourceThis,
  x: Float32Array,
  y: Float32Array,
  elements: Float32Array,
  count: number,
  keepContrast: number,
): number {
  const px = x[this.thread.x];
  const py = y[this.thread.x];
  let red = 0;
  let green = 0;
  let blue = 0;
  let alpha = 0;
  let lightness = 0;
  let total = 0;
  let squares = 0;
  for (let n = 0; n < count; n++) {
    const e = n * 14;
    const p =
      elements[e + 6] - Math.abs(elements[e + 7] * px + elements[e + 8] * py + elements[e + 9]);
    const q =
      elements[e + 10] - Math.abs(elements[e + 11] * px + elements[e + 12] * py + elements[e + 13]);
    if (p > 0 && q > 0) {
      const u = Math.min(p, 1);
      const v = Math.min(q, 1);
      const weight = u * u * (3 - 2 * u) * (v * v * (3 - 2 * v));
      const sx = Math.min(
        Math.max(elements[e] * px + elements[e + 1] * py + elements[e + 2], 0),
        this.constants.width - 1,
      );
      const sy = Math.min(
        Math.max(elements[e + 3] * px + elements[e + 4] * py + elements[e + 5], 0),
        this.constants.height - 1,
      );
      const x0 = Math.floor(sx);
      const y0 = Math.floor(sy);
      const fx = sx - x0;
      const fy = sy - y0;
      // Bilinear; at the last column and row the neighbour is the pixel itself.
      const x1 = Math.min(x0 + 1, this.constants.width - 1);
      const y1 = Math.min(y0 + 1, this.constants.height - 1);
      const i = x0 * this.constants.stride;
      const j = x1 * this.constants.stride;
      const w00 = (1 - fx) * (1 - fy);
      const w10 = fx * (1 - fy);
      const w01 = (1 - fx) * fy;
      const w11 = fx * fy;
      const sampleRed =
        this.constants.source[y0][i] * w00 +
        this.constants.source[y0][j] * w10 +
        this.constants.source[y1][i] * w01 +
        this.constants.source[y1][j] * w11;
      const sampleGreen =
        this.constants.source[y0][i + 1] * w00 +
        this.constants.source[y0][j + 1] * w10 +
        this.constants.source[y1][i + 1] * w01 +
        this.constants.source[y1][j + 1] * w11;
      const sampleBlue =
        this.constants.source[y0][i + 2] * w00 +
        this.constants.source[y0][j + 2] * w10 +
        this.constants.source[y1][i + 2] * w01 +
        this.constants.source[y1][j + 2] * w11;
      let sampleAlpha = 1;
      if (this.constants.stride > 3) {
        sampleAlpha =
          this.constants.source[y0][i + 3] * w00 +
          this.constants.source[y0][j + 3] * w10 +
          this.constants.source[y1][i + 3] * w01 +
          this.constants.source[y1][j + 3] * w11;
      }
      red += sampleRed * weight;
      green += sampleGreen * weight;
      blue += sampleBlue * weight;
      alpha += sampleAlpha * weight;
      const light = 0.2126 * sampleRed + 0.7152 * sampleGreen + 0.0722 * sampleBlue;
      lightness += Math.sqrt(light * sampleAlpha) * weight;
      total += weight;
      squares += weight * weight;
    }
  }
  if (this.constants.wanted > 0) {
    return Math.floor(Math.min(alpha / total, 1) * 255 + 0.5);
  }
  const opaque = Math.max(alpha, 0.000001);
  red = red / opaque;
  green = green / opaque;
  blue = blue / opaque;
  if (keepContrast > 0) {
    // Mixing takes contrast away as far as the samples differ: their variance says how far
    // (docs/adr/0012). Lightness is the root of luminance; the colour is scaled along, so hues stay.
    const luminance = Math.max(0.2126 * red + 0.7152 * green + 0.0722 * blue, 0.000001);
    const mean = this.constants.meanLightness;
    const average = lightness / opaque;
    const variance = Math.max(luminance - average * average, 0);
    const deviation = Math.max(luminance - 2 * mean * average + mean * mean, 0.000001);
    const share = squares / (total * total);
    const lost = (variance * (1 + 4 * share * (1 - share))) / (share * deviation);
    const wanted = Math.max(mean + (Math.sqrt(luminance) - mean) * Math.sqrt(1 + lost), 0);
    const highest = Math.max(Math.max(red, green), Math.max(blue, 0.000001));
    const gain = Math.min((wanted * wanted) / luminance, 1 / highest);
    red = red * gain;
    green = green * gain;
    blue = blue * gain;
  }
  const r = Math.floor(Math.sqrt(Math.min(red, 1)) * this.constants.transferTop + 0.5);
  const g = Math.floor(Math.sqrt(Math.min(green, 1)) * this.constants.transferTop + 0.5);
  const b = Math.floor(Math.sqrt(Math.min(blue, 1)) * this.constants.transferTop + 0.5);
  return (
    this.constants.transfer[r] * 65536 +
    this.constants.transfer[g] * 256 +
    this.constants.transfer[b]
  );
}

/** The windowed orbit, colours or alpha by its binding. */
export const orbitKernel: Kernel = { run: orbit };
