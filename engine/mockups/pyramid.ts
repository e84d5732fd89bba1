/** A picture at all its smaller sizes, to be looked up at any of them (L. Williams, SIGGRAPH 1983). */

import { SRGB8_TO_LINEAR } from "../image/transfer.ts";
import type { Samples } from "../render/samples.ts";

/** What 1 is stored as. Sixteen bits of linear light are finer than eight of sRGB, even in the dark. */
export const ONE = 65535;

/** One size. */
export interface Level {
  /** Texels. */
  readonly width: number;
  readonly height: number;
  /** Linear light of red, green and blue, premultiplied, and alpha; 0…`ONE`, rows from the top. */
  readonly texels: Uint16Array;
}

/** All sizes, the largest first, the last one a single texel. */
export type Pyramid = readonly Level[];

/** Makes the pyramid of packed colours, `width` a row. The mean of all texels is every level's. */
export function pyramidOf(samples: Samples, width: number): Pyramid {
  const levels = [firstLevel(samples, width)];
  for (let last = levels[0]; last.width * last.height > 1; ) {
    last = halved(last);
    levels.push(last);
  }
  return levels;
}

function firstLevel({ colour, alpha }: Samples, width: number): Level {
  const light = SRGB8_TO_LINEAR.map((value) => value * ONE);
  const texels = new Uint16Array(4 * colour.length);
  for (let i = 0, at = 0; i < colour.length; i++, at += 4) {
    const packed = colour[i];
    const share = alpha === null ? 1 : alpha[i] / 255;
    texels[at] = light[(packed >> 16) & 255] * share + 0.5;
    texels[at + 1] = light[(packed >> 8) & 255] * share + 0.5;
    texels[at + 2] = light[packed & 255] * share + 0.5;
    texels[at + 3] = ONE * share + 0.5;
  }
  return { width, height: colour.length / width, texels };
}

/** Half as many texels each way, rounded up: each is the mean of the rectangle that it covers. */
function halved({ width, height, texels }: Level): Level {
  const across = axis(width);
  const down = axis(height);
  const rows = new Uint16Array(4 * across.count * height);
  gather(across, 4, 4 * width, 4 * across.count, height, texels, rows);
  const small = new Uint16Array(4 * across.count * down.count);
  // A column of texels is a row of one: the same sum with the strides exchanged.
  gather(down, 4 * across.count, 4, 4, across.count, rows, small);
  return { width: across.count, height: down.count, texels: small };
}

/** Which texels each of fewer ones covers, and their weights. */
interface Axis {
  readonly count: number;
  readonly first: Int32Array;
  readonly weights: readonly Float64Array[];
}

function axis(size: number): Axis {
  const count = Math.ceil(size / 2);
  const share = size / count;
  const first = new Int32Array(count);
  const weights = Array.from({ length: count }, (_, i) => {
    const [from, to] = [i * share, (i + 1) * share];
    first[i] = Math.floor(from);
    const covered = Math.min(size, Math.ceil(to - 1e-9)) - first[i];
    return Float64Array.from({ length: covered }, (_, k) => {
      const texel = first[i] + k;
      return (Math.min(to, texel + 1) - Math.max(from, texel)) / share;
    });
  });
  return { count, first, weights };
}

/** Weighs texels that lie `along` numbers apart, on `lines` lines that lie `apart` and `into` apart. */
function gather(
  { count, first, weights }: Axis,
  along: number,
  apart: number,
  into: number,
  lines: number,
  from: Uint16Array,
  to: Uint16Array,
): void {
  for (let line = 0; line < lines; line++) {
    for (let i = 0; i < count; i++) {
      const shares = weights[i];
      const start = line * apart + first[i] * along;
      const end = line * into + i * along;
      for (let channel = 0; channel < 4; channel++) {
        let sum = 0;
        for (let k = 0; k < shares.length; k++)
          sum += shares[k] * from[start + k * along + channel];
        to[end + channel] = sum + 0.5;
      }
    }
  }
}
