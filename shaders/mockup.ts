/**
 * Kernel that draws a print on a product: one thread for each sample of the scene's map, which
 * returns its packed colour.
 *
 * The print is a constant, written for each mockup: its image pyramid, one number a texel, each size
 * with a border of one texel that repeats or continues it. WebAssembly has no gather instruction, so a
 * texel costs as much as it has numbers.
 */
import type { Kernel, KernelThis } from "./kernel.ts";
import { layout, type RecordOf, type Rgb } from "./lib/layout.ts";
import { packByTable, unpack } from "./lib/pack.ts";
import { saturate } from "./lib/paint.ts";
import { stages } from "./lib/stages.ts";

interface PrintThis extends KernelThis {
  readonly constants: {
    /** Planes of the samples, see `PLANES`. */
    readonly samples: readonly Float32Array[];
    /** Packed square roots of linear light (premultiplied), 0…255 a channel. */
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

/**
 * A size of the print: index of its border's corner texel, and its texels without the border. The table ends with
 * the smallest twice, so that there is one after it.
 */
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

/** Planes of the samples, in the order of the map's: one array, because a GPU binds at most 8. */
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

/** That size in texels. */
const LARGEST = 2 ** ALONE;

/** Light of a white texel. */
const WHITE = 65025;

/** Reads a size from the table. */
function sizeOf(sizes: readonly Size[], index: number): Size {
  const { first, width, height } = sizes[index];
  return { first, width, height };
}

/** The light of a texel, 0…`WHITE`. */
function lightOf(texel: number): Rgb {
  const { red, green, blue } = unpack(texel);
  return { red: red * red, green: green * green, blue: blue * blue };
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
  let alpha = 1;
  if (transparent > 0) {
    alpha =
      upperLeft * alphas[upper] +
      upperRight * alphas[upper + 1] +
      lowerLeft * alphas[below] +
      lowerRight * alphas[below + 1];
  }
  const a = lightOf(texels[upper]);
  const b = lightOf(texels[upper + 1]);
  const c = lightOf(texels[below]);
  const d = lightOf(texels[below + 1]);
  return {
    red: upperLeft * a.red + upperRight * b.red + lowerLeft * c.red + lowerRight * d.red,
    green: upperLeft * a.green + upperRight * b.green + lowerLeft * c.green + lowerRight * d.green,
    blue: upperLeft * a.blue + upperRight * b.blue + lowerLeft * c.blue + lowerRight * d.blue,
    alpha,
  };
}

/**
 * Reads the print at (s, t), which is in the print or in what repeats it.
 * @param fine binary logarithm of the probe's size; 0 if the largest size serves it alone
 */
function probeAt(
  texels: Float32Array,
  alphas: Float32Array,
  transparent: number,
  repeats: number,
  largest: Size,
  sizes: readonly Size[],
  fine: number,
  s: number,
  t: number,
) {
  let x = saturate(s);
  let y = saturate(t);
  if (repeats > 0) {
    x = s - Math.floor(s);
    y = t - Math.floor(t);
  }
  const one = printAt(texels, alphas, transparent, largest, x, y);
  let red = one.red;
  let green = one.green;
  let blue = one.blue;
  let alpha = one.alpha;
  if (fine > ALONE) {
    const index = Math.floor(fine);
    if (index > 0) {
      const larger = printAt(texels, alphas, transparent, sizeOf(sizes, index), x, y);
      red = larger.red;
      green = larger.green;
      blue = larger.blue;
      alpha = larger.alpha;
    }
    let share = fine - index;
    if (index < 1) share = (share - ALONE) / (1 - ALONE);
    const smaller = printAt(texels, alphas, transparent, sizeOf(sizes, index + 1), x, y);
    red += (smaller.red - red) * share;
    green += (smaller.green - green) * share;
    blue += (smaller.blue - blue) * share;
    alpha += (smaller.alpha - alpha) * share;
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

function shadePixel(
  this: PrintThis,
  print: RecordOf<typeof PRINT>,
  sizes: readonly Size[],
): number {
  const { probes, right, down, size } = probesAlong(
    this.constants.samples[ACROSS][this.thread.x] * print.across,
    this.constants.samples[DOWN][this.thread.x] * print.down,
    this.constants.samples[ASKEW][this.thread.x],
  );
  const largest = sizeOf(sizes, 0);
  const ds = right / largest.width;
  const dt = down / largest.height;
  let s =
    (this.constants.samples[U][this.thread.x] * print.across) / largest.width -
    0.5 * (probes - 1) * ds;
  let t =
    (this.constants.samples[V][this.thread.x] * print.down) / largest.height -
    0.5 * (probes - 1) * dt;
  // Prints are made so large that nearly all samples need their largest size only.
  let fine = 0;
  if (size > LARGEST) fine = Math.min(log2From1(size), print.last);
  const { texels, alphas, transparent } = this.constants;
  const { repeats } = print;
  // Most footprints have a single probe, and a loop that differs from pixel to pixel costs twice as much.
  const first = probeAt(texels, alphas, transparent, repeats, largest, sizes, fine, s, t);
  let red = first.red;
  let green = first.green;
  let blue = first.blue;
  let alpha = first.alpha;
  for (let probe = 1; probe < probes; probe++) {
    s += ds;
    t += dt;
    const next = probeAt(texels, alphas, transparent, repeats, largest, sizes, fine, s, t);
    red += next.red;
    green += next.green;
    blue += next.blue;
    alpha += next.alpha;
  }
  const light = (this.constants.samples[LIT][this.thread.x] * print.light) / (probes * WHITE);
  let shine = this.constants.samples[GLOSS][this.thread.x] * print.light;
  red = red * light;
  green = green * light;
  blue = blue * light;
  if (transparent > 0) {
    const cover = Math.min(alpha / probes, 1);
    shine = shine * cover;
    const under = (1 - cover) * print.bare;
    const bare = unpack(this.constants.samples[BARE][this.thread.x]);
    red += under * this.constants.light[bare.red];
    green += under * this.constants.light[bare.green];
    blue += under * this.constants.light[bare.blue];
  }
  const colour = { red: red + shine, green: green + shine, blue: blue + shine };
  return packByTable(colour, this.constants.transfer, this.constants.transferTop);
}

export const mockupKernel: Kernel = {
  run: shadePixel,
  helpers: [probeAt, printAt, lightOf, sizeOf, log2From1, probesAlong, ...stages],
  records: { print: PRINT, sizes: SIZE },
  literals: { MAX_PROBES, SHARPER, ALONE, LARGEST, WHITE, ...PLANES },
};
