/**
 * Kernel that draws a print on a product: one thread for each sample of the scene's map, which
 * returns its packed colour.
 *
 * The print is a constant, written for each mockup: linear light (premultiplied) of its image
 * pyramid, three numbers a texel, each size with a border of one texel that repeats or continues it.
 */
import type { Kernel, KernelThis } from "./kernel.ts";
import { layout, type RecordOf } from "./lib/layout.ts";
import { packByTable, unpack } from "./lib/pack.ts";
import { saturate } from "./lib/paint.ts";
import { stages } from "./lib/stages.ts";

interface PrintThis extends KernelThis {
  readonly constants: {
    readonly texels: Float32Array;
    /** A single number if the print is opaque. */
    readonly alphas: Float32Array;
    readonly transparent: number;
    /** Linear light of the 256 sRGB bytes. */
    readonly light: Float32Array;
    /** sRGB bytes over the square root of linear light, and the table's last index. */
    readonly transfer: Float32Array;
    readonly transferTop: number;
  };
}

/** A size of the print: index of its border's corner texel, and its texels without the border. */
export const SIZE = layout({ first: 1, width: 1, height: 1 });
type Size = RecordOf<typeof SIZE>;

export const PRINT = layout({
  /** Texels of the largest size a millimetre. */
  across: 1,
  down: 1,
  /** Index of the last size. */
  last: 1,
  /** 1 where the print goes on beyond its edges. */
  repeats: 1,
  /** Factors of `LIT` and `GLOSS`, and of light in `BARE`. */
  light: 1,
  bare: 1,
});

/** Planes of the samples in one array: a GPU binds at most 8. */
const PLANES = {
  /** Position on the print in millimetres. */
  U: 0,
  V: 1,
  /** Extent of the pixel's footprint there, like standard deviations. */
  ACROSS: 2,
  DOWN: 3,
  /** Correlation of both axes of the footprint. */
  ASKEW: 4,
  /** Light on the print, and specular reflection. */
  LIT: 5,
  GLOSS: 6,
  /** Packed colour under a transparent print. */
  BARE: 7,
} as const;
const { U, V, ACROSS, DOWN, ASKEW, LIT, GLOSS, BARE } = PLANES;

/** Maximum of anisotropic samples along a footprint's longer axis: more oblique views blur. */
const MAX_PROBES = 16;

/** Factor of a probe's size, for sharpness. */
const SHARPER = 2 ** -0.35;

/** Binary logarithm of a probe's size in texels up to which the largest size is read alone. */
const ALONE = 0.15;

/** Reads a size from the table. */
function sizeOf(sizes: readonly Size[], index: number): Size {
  const { first, width, height } = sizes[index];
  return { first, width, height };
}

/** Interpolates a size of the print bilinearly at (s, t), 0…1. */
function printAt(
  texels: Float32Array,
  alphas: Float32Array,
  transparent: number,
  size: Size,
  s: number,
  t: number,
) {
  const x = s * size.width + 0.5;
  const y = t * size.height + 0.5;
  const column = Math.floor(x);
  const row = Math.floor(y);
  const right = x - column;
  const lower = y - row;
  const lowerRight = right * lower;
  const lowerLeft = lower - lowerRight;
  const upperRight = right - lowerRight;
  const upperLeft = 1 - lower - upperRight;
  const upper = size.first + row * (size.width + 2) + column;
  const below = upper + (size.width + 2);
  const i = 3 * upper;
  const j = 3 * below;
  let alpha = 1;
  if (transparent > 0) {
    alpha =
      upperLeft * alphas[upper] +
      upperRight * alphas[upper + 1] +
      lowerLeft * alphas[below] +
      lowerRight * alphas[below + 1];
  }
  return {
    red:
      upperLeft * texels[i] +
      upperRight * texels[i + 3] +
      lowerLeft * texels[j] +
      lowerRight * texels[j + 3],
    green:
      upperLeft * texels[i + 1] +
      upperRight * texels[i + 4] +
      lowerLeft * texels[j + 1] +
      lowerRight * texels[j + 4],
    blue:
      upperLeft * texels[i + 2] +
      upperRight * texels[i + 5] +
      lowerLeft * texels[j + 2] +
      lowerRight * texels[j + 5],
    alpha,
  };
}

/** Mixes two sizes of the print at (s, t), which is in the print or in what repeats it. */
function probeAt(
  texels: Float32Array,
  alphas: Float32Array,
  transparent: number,
  repeats: number,
  larger: Size,
  smaller: Size,
  share: number,
  s: number,
  t: number,
) {
  let x = saturate(s);
  let y = saturate(t);
  if (repeats > 0) {
    x = s - Math.floor(s);
    y = t - Math.floor(t);
  }
  const one = printAt(texels, alphas, transparent, larger, x, y);
  let red = one.red;
  let green = one.green;
  let blue = one.blue;
  let alpha = one.alpha;
  // Prints are made so large that nearly all samples need their largest size only.
  if (share > 0) {
    const other = printAt(texels, alphas, transparent, smaller, x, y);
    red += (other.red - red) * share;
    green += (other.green - green) * share;
    blue += (other.blue - blue) * share;
    alpha += (other.alpha - alpha) * share;
  }
  return { red, green, blue, alpha };
}

/** Binary logarithm of a number from 1 to 2³², within 2·10⁻⁵. */
function log2From1(value: number) {
  let whole = 0;
  let rest = value;
  if (rest >= 65536) {
    rest = rest / 65536;
    whole = 16;
  }
  if (rest >= 256) {
    rest = rest / 256;
    whole += 8;
  }
  if (rest >= 16) {
    rest = rest / 16;
    whole += 4;
  }
  if (rest >= 4) {
    rest = rest / 4;
    whole += 2;
  }
  if (rest >= 2) {
    rest = rest / 2;
    whole += 1;
  }
  const z = (rest - 1) / (rest + 1);
  const square = z * z;
  const fraction =
    2.885390082 + square * (0.961796694 + square * (0.577078016 + square * 0.412198583));
  return whole + z * fraction;
}

/**
 * Returns the anisotropic samples of a footprint's ellipse in texels: their number and step along the
 * longer axis, and their size, from the shorter axis.
 * @param p, q extent across and down
 */
function probesAlong(p: number, q: number, askew: number) {
  const a = p * p;
  const b = askew * p * q;
  const c = q * q;
  const spread = Math.sqrt(0.25 * (a - c) * (a - c) + b * b);
  const middle = 0.5 * (a + c);
  const long = Math.sqrt(middle + spread);
  const short = Math.max(
    Math.max(Math.sqrt(Math.max(middle - spread, 0)), long / MAX_PROBES),
    0.000001,
  );
  const probes = Math.min(MAX_PROBES, Math.max(1, Math.ceil(long / short - 0.2)));
  // The axes are eigenvectors of a symmetric matrix; a circle has none and needs none.
  let alongU = middle + spread - c;
  let alongV = b;
  if (a < c) {
    alongU = b;
    alongV = middle + spread - a;
  }
  const length = Math.sqrt(alongU * alongU + alongV * alongV);
  let step = 0;
  if (probes > 1) step = long / (probes * Math.max(length, 0.000001));
  // Interpolating between sizes blurs, so each probe reads a finer one than its own.
  const size = SHARPER * Math.max(short, (0.9 * long) / probes);
  return { probes, right: alongU * step, down: alongV * step, size };
}

/** @param samples planes of `count` numbers */
function shadePixel(
  this: PrintThis,
  samples: Float32Array,
  count: number,
  print: RecordOf<typeof PRINT>,
  sizes: readonly Size[],
): number {
  const sample = this.thread.x;
  const { probes, right, down, size } = probesAlong(
    samples[sample + ACROSS * count] * print.across,
    samples[sample + DOWN * count] * print.down,
    samples[sample + ASKEW * count],
  );
  const { width, height } = sizeOf(sizes, 0);
  const ds = right / width;
  const dt = down / height;
  let s = (samples[sample + U * count] * print.across) / width - 0.5 * (probes - 1) * ds;
  let t = (samples[sample + V * count] * print.down) / height - 0.5 * (probes - 1) * dt;
  const fine = Math.min(log2From1(Math.max(size, 1)), print.last);
  const index = Math.min(Math.floor(fine), print.last - 1);
  let share = fine - index;
  if (index < 1) share = Math.max((share - ALONE) / (1 - ALONE), 0);
  const larger = sizeOf(sizes, index);
  const smaller = sizeOf(sizes, index + 1);
  const { texels, alphas, transparent } = this.constants;
  const { repeats } = print;
  // Most footprints have a single probe, and a loop that differs from pixel to pixel costs twice as much.
  const first = probeAt(texels, alphas, transparent, repeats, larger, smaller, share, s, t);
  let red = first.red;
  let green = first.green;
  let blue = first.blue;
  let alpha = first.alpha;
  for (let probe = 1; probe < probes; probe++) {
    s += ds;
    t += dt;
    const next = probeAt(texels, alphas, transparent, repeats, larger, smaller, share, s, t);
    red += next.red;
    green += next.green;
    blue += next.blue;
    alpha += next.alpha;
  }
  const light = (samples[sample + LIT * count] * print.light) / probes;
  let shine = samples[sample + GLOSS * count] * print.light;
  red = red * light;
  green = green * light;
  blue = blue * light;
  if (transparent > 0) {
    const cover = Math.min(alpha / probes, 1);
    shine = shine * cover;
    const under = (1 - cover) * print.bare;
    const bare = unpack(samples[sample + BARE * count]);
    red += under * this.constants.light[bare.red];
    green += under * this.constants.light[bare.green];
    blue += under * this.constants.light[bare.blue];
  }
  const colour = { red: red + shine, green: green + shine, blue: blue + shine };
  return packByTable(colour, this.constants.transfer, this.constants.transferTop);
}

export const mockupKernel: Kernel = {
  run: shadePixel,
  helpers: [probeAt, printAt, sizeOf, log2From1, probesAlong, ...stages],
  records: { print: PRINT, sizes: SIZE },
  literals: { MAX_PROBES, SHARPER, ALONE, ...PLANES },
};
