/** Samples a torus in linear light. */
import type { EffectContext, Torus } from "../effect.ts";
import { inBands } from "./bands.ts";
import { FULL, LIGHT_OF_SRGB } from "./light.ts";

/** The light of a torus: 16-bit red, green, blue, premultiplied, and alpha if it has any. */
export interface LightTorus extends Pick<Torus, "width" | "height"> {
  readonly values: Uint16Array;
  readonly channels: 3 | 4;
}

/** Red, green, blue and alpha, all 0…65535 times the weights they were added with. */
export type Sum = Float64Array;

/** Adds `weight` times the light at (x, y), in pixels, to a sum. Opposite edges are joined. */
export type Reader = (x: number, y: number, weight: number, sum: Sum) => void;

/** A torus as light, a copy. */
export async function lightTorus(torus: Torus, context: EffectContext): Promise<LightTorus> {
  const { colour, alpha, width, height } = torus;
  const channels = alpha === null ? 3 : 4;
  const values = new Uint16Array(colour.length * channels);
  await inBands(torus, context, (from, to) => {
    for (let i = from * width, at = i * channels; i < to * width; i++, at += channels) {
      const packed = colour[i];
      const share = alpha === null ? 1 : alpha[i] / 255;
      values[at] = LIGHT_OF_SRGB[(packed >> 16) & 255] * share + 0.5;
      values[at + 1] = LIGHT_OF_SRGB[(packed >> 8) & 255] * share + 0.5;
      values[at + 2] = LIGHT_OF_SRGB[packed & 255] * share + 0.5;
      if (channels === 4) values[at + 3] = share * FULL + 0.5;
    }
  });
  return { values, channels, width, height };
}

/** Catmull–Rom interpolation: as sharp as the pixels. */
export function cubicReader({ values, channels, width, height }: LightTorus): Reader {
  const across = new Float64Array(4);
  const down = new Float64Array(4);
  const columns = new Int32Array(4);
  return (x, y, weight, sum) => {
    const left = Math.floor(x - 0.5);
    const top = Math.floor(y - 0.5);
    setCubic(across, x - 0.5 - left, 1);
    setCubic(down, y - 0.5 - top, weight);
    for (let i = 0; i < 4; i++) columns[i] = wrap(left - 1 + i, width) * channels;
    let red = 0;
    let green = 0;
    let blue = 0;
    let alpha = 0;
    // Written out: a loop over the columns takes twice as long.
    const p = across[0];
    const q = across[1];
    const r = across[2];
    const s = across[3];
    for (let j = 0; j < 4; j++) {
      const row = wrap(top - 1 + j, height) * width * channels;
      const i = row + columns[0];
      const k = row + columns[1];
      const m = row + columns[2];
      const n = row + columns[3];
      const part = down[j];
      red += part * (p * values[i] + q * values[k] + r * values[m] + s * values[n]);
      green +=
        part * (p * values[i + 1] + q * values[k + 1] + r * values[m + 1] + s * values[n + 1]);
      blue +=
        part * (p * values[i + 2] + q * values[k + 2] + r * values[m + 2] + s * values[n + 2]);
      if (channels === 3) continue;
      alpha +=
        part * (p * values[i + 3] + q * values[k + 3] + r * values[m + 3] + s * values[n + 3]);
    }
    sum[0] += red;
    sum[1] += green;
    sum[2] += blue;
    sum[3] += channels === 4 ? alpha : weight * FULL;
  };
}

/** Bilinear interpolation, for samples that are averaged. */
export function linearReader({ values, channels, width, height }: LightTorus): Reader {
  const corners = new Int32Array(4);
  const weights = new Float64Array(4);
  return (x, y, weight, sum) => {
    const left = Math.floor(x - 0.5);
    const top = Math.floor(y - 0.5);
    const right = (x - 0.5 - left) * weight;
    const below = y - 0.5 - top;
    const column = wrap(left, width) * channels;
    const next = wrap(left + 1, width) * channels;
    const row = wrap(top, height) * width * channels;
    const under = wrap(top + 1, height) * width * channels;
    weights[0] = (weight - right) * (1 - below);
    weights[1] = right * (1 - below);
    weights[2] = (weight - right) * below;
    weights[3] = right * below;
    corners[0] = row + column;
    corners[1] = row + next;
    corners[2] = under + column;
    corners[3] = under + next;
    for (let k = 0; k < 4; k++) {
      const at = corners[k];
      sum[0] += weights[k] * values[at];
      sum[1] += weights[k] * values[at + 1];
      sum[2] += weights[k] * values[at + 2];
      sum[3] += weights[k] * (channels === 4 ? values[at + 3] : FULL);
    }
  };
}

/** The cubic's weights for the pixels −1, 0, 1, 2 at a place between 0 and 1. */
function setCubic(weights: Float64Array, t: number, factor: number): void {
  const half = factor / 2;
  weights[0] = ((2 - t) * t - 1) * t * half;
  weights[1] = ((3 * t - 5) * t * t + 2) * half;
  weights[2] = ((4 - 3 * t) * t + 1) * t * half;
  weights[3] = (t - 1) * t * t * half;
}

/** Brings an index that is rarely outside into 0 … size − 1. */
function wrap(index: number, size: number): number {
  if (index >= 0 && index < size) return index;
  return ((index % size) + size) % size;
}
