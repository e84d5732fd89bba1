/**
 * The kernel that shows a print on a product: one thread for each look of the scene's map.
 *
 * The print is bound as a constant: linear light (premultiplied) at all its smaller sizes, three numbers
 * a texel, each size with a border of one texel that repeats or continues it.
 * A look leaves as its packed colour.
 */
import type { Kernel, KernelThis } from "./kernel.ts";

interface PrintThis extends KernelThis {
  readonly constants: {
    readonly texels: Float32Array;
    /** A single number where the print is opaque. */
    readonly alphas: Float32Array;
    readonly transparent: number;
    /** For each size: the texel of its border's corner, width and height. */
    readonly sizes: Float32Array;
    /** Index of the last size. */
    readonly last: number;
    /** 1 where the print goes on beyond its edges. */
    readonly repeats: number;
    /** Linear light of the 256 sRGB bytes. */
    readonly light: Float32Array;
    /** sRGB bytes over the square root of linear light, and the table's last index. */
    readonly transfer: Float32Array;
    readonly transferTop: number;
  };
}

/**
 * What the print shows at (x, y) texels from the corner of a size's border, between its texels.
 * @param first the corner's texel
 * @param length texels in a row
 */
function between(
  texels: Float32Array,
  alphas: Float32Array,
  transparent: number,
  first: number,
  length: number,
  x: number,
  y: number,
) {
  const column = Math.floor(x);
  const row = Math.floor(y);
  const right = x - column;
  const lower = y - row;
  const lowerRight = right * lower;
  const lowerLeft = lower - lowerRight;
  const upperRight = right - lowerRight;
  const upperLeft = 1 - lower - upperRight;
  const upper = first + row * length + column;
  const below = upper + length;
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

/** Binary logarithm of a number from 1 to 2³², within 2·10⁻⁵. */
function log2From1(value: number) {
  let whole = 0;
  let rest = value;
  let power = 16;
  let divisor = 65536;
  for (let k = 0; k < 5; k++) {
    if (rest >= divisor) {
      rest = rest / divisor;
      whole += power;
    }
    power = power / 2;
    divisor = Math.sqrt(divisor);
  }
  const z = (rest - 1) / (rest + 1);
  const square = z * z;
  const fraction =
    2.885390082 + square * (0.961796694 + square * (0.577078016 + square * 0.412198583));
  return whole + z * fraction;
}

/**
 * @param looks a plane of `count` numbers for each of: u and v, where the look lies on the print, in
 * millimetres; across and down, extent of its outline there, as standard deviations are extents; askew, how
 * much the outline grows down as it grows across, as correlations are; lit, light on the print; gloss, light
 * that its surface throws back; bare, packed colour of what is seen where the print is transparent. One
 * array, for a GPU binds 8 at most
 * @param count looks
 * @param scale texels of the largest size a millimetre, across and down; light of 1 in `bare`
 */
function develop(this: PrintThis, looks: Float32Array, count: number, scale: Float32Array): number {
  const look = this.thread.x;
  // The outline's ellipse in texels: its axes are those of this symmetric matrix.
  const p = looks[look + 2 * count] * scale[0];
  const q = looks[look + 3 * count] * scale[1];
  const a = p * p;
  const b = looks[look + 4 * count] * p * q;
  const c = q * q;
  const spread = Math.sqrt(0.25 * (a - c) * (a - c) + b * b);
  const middle = 0.5 * (a + c);
  const long = Math.sqrt(middle + spread);
  const short = Math.max(
    Math.max(Math.sqrt(Math.max(middle - spread, 0)), long / MOST_PROBES),
    0.000001,
  );
  const probes = Math.min(MOST_PROBES, Math.max(1, Math.ceil(long / short - 0.2)));
  // From one probe to the next, along the longer axis; a round outline has none and needs none.
  let alongU = middle + spread - c;
  let alongV = b;
  if (a < c) {
    alongU = b;
    alongV = middle + spread - a;
  }
  const length = Math.sqrt(alongU * alongU + alongV * alongV);
  let step = 0;
  if (probes > 1) step = long / (probes * Math.max(length, 0.000001));
  const width = this.constants.sizes[1];
  const height = this.constants.sizes[2];
  const ds = (alongU * step) / width;
  const dt = (alongV * step) / height;
  let s = (looks[look] * scale[0]) / width - 0.5 * (probes - 1) * ds;
  let t = (looks[look + count] * scale[1]) / height - 0.5 * (probes - 1) * dt;
  // Texels between sizes blur: so each probe looks at a finer one than its own.
  const seen = SHARPER * Math.max(short, (0.9 * long) / probes);
  const fine = Math.min(log2From1(Math.max(seen, 1)), this.constants.last);
  const larger = Math.min(Math.floor(fine), this.constants.last - 1);
  const far = fine - larger;
  const size = 3 * larger;
  const nearFirst = this.constants.sizes[size];
  const nearWidth = this.constants.sizes[size + 1];
  const nearHeight = this.constants.sizes[size + 2];
  const farFirst = this.constants.sizes[size + 3];
  const farWidth = this.constants.sizes[size + 4];
  const farHeight = this.constants.sizes[size + 5];
  let red = 0;
  let green = 0;
  let blue = 0;
  let alpha = 0;
  for (let probe = 0; probe < probes; probe++) {
    let x = Math.min(Math.max(s, 0), 1);
    let y = Math.min(Math.max(t, 0), 1);
    if (this.constants.repeats > 0) {
      x = s - Math.floor(s);
      y = t - Math.floor(t);
    }
    const one = between(
      this.constants.texels,
      this.constants.alphas,
      this.constants.transparent,
      nearFirst,
      nearWidth + 2,
      x * nearWidth + 0.5,
      y * nearHeight + 0.5,
    );
    const other = between(
      this.constants.texels,
      this.constants.alphas,
      this.constants.transparent,
      farFirst,
      farWidth + 2,
      x * farWidth + 0.5,
      y * farHeight + 0.5,
    );
    red += one.red + far * (other.red - one.red);
    green += one.green + far * (other.green - one.green);
    blue += one.blue + far * (other.blue - one.blue);
    alpha += one.alpha + far * (other.alpha - one.alpha);
    s += ds;
    t += dt;
  }
  const light = looks[look + 5 * count] / probes;
  let shine = looks[look + 6 * count];
  red = red * light;
  green = green * light;
  blue = blue * light;
  if (this.constants.transparent > 0) {
    const cover = Math.min(alpha / probes, 1);
    shine = shine * cover;
    const under = (1 - cover) * scale[2];
    const packed = looks[look + 7 * count];
    const high = Math.floor(packed / 65536);
    const middle = Math.floor(packed / 256);
    red += under * this.constants.light[high];
    green += under * this.constants.light[middle - 256 * high];
    blue += under * this.constants.light[packed - 256 * middle];
  }
  const top = this.constants.transferTop;
  const r = Math.floor(Math.sqrt(Math.min(red + shine, 1)) * top + 0.5);
  const g = Math.floor(Math.sqrt(Math.min(green + shine, 1)) * top + 0.5);
  const lowest = Math.floor(Math.sqrt(Math.min(blue + shine, 1)) * top + 0.5);
  return (
    this.constants.transfer[r] * 65536 +
    this.constants.transfer[g] * 256 +
    this.constants.transfer[lowest]
  );
}

/** Probes along the longer axis of a pixel's outline, at most: what is seen more obliquely blurs. */
const MOST_PROBES = 16;

/** Share of its own size that a probe looks at. */
const SHARPER = 2 ** -0.35;

export const mockupKernel: Kernel = {
  run: develop,
  helpers: [between, log2From1],
  literals: { MOST_PROBES, SHARPER },
};
