/** The light of pixels as `webasm` interpolates it (engine/kernel-code/light.ts). */
import { lightOfByte } from "../../shaders/lib/pack.ts";
import type { PackedRow } from "./picture.ts";
import { SRGB8_BY_LIGHT } from "./transfer.ts";

/**
 * Words of a pixel: red and green, then blue and alpha, of which the first are the lower 16 bits. Light is linear and
 * premultiplied by alpha; 0…1 is −32768…32767.
 */
export const LIGHT_WORDS = 2;

/** Rows of light, `length` pixels apart. */
export interface LightRows {
  readonly light: Int32Array;
  readonly length: number;
}

const SPAN = 65535;
/** What is added to light to count it from 0 on. */
export const ZERO = 32768;

const numberOf = (share: number) => Math.round(share * SPAN) - ZERO;

/** The light of each 8-bit level, 0…1, as kernels decode it that read packed colours: others would differ more. */
const LIGHT = Float64Array.from({ length: 256 }, (_, level) => Math.min(lightOfByte(level), 1));

/** The light of each 8-bit level. */
export const lightOf = Int32Array.from(LIGHT, numberOf);

/** It as the lower and as the upper half of a word. */
const LOWER = lightOf.map((light) => light & 0xffff);
const UPPER = lightOf.map((light) => light << 16);
export const halfWords = { lower: LOWER, upper: UPPER };

/** Alpha of an opaque pixel in its second word. */
const OPAQUE = UPPER[255];

/** Writes `count` pixels of a picture from `first` on as light, from pixel `start` on. */
export function writeLight(
  { colour, alpha }: PackedRow,
  first: number,
  light: Int32Array,
  start: number,
  count: number,
): void {
  let word = LIGHT_WORDS * start;
  if (alpha === null) {
    for (let at = first; at < first + count; at++, word += LIGHT_WORDS) {
      const packed = colour[at] | 0;
      light[word] = LOWER[(packed >> 16) & 255] | UPPER[(packed >> 8) & 255];
      light[word + 1] = LOWER[packed & 255] | OPAQUE;
    }
    return;
  }
  for (let at = first; at < first + count; at++, word += LIGHT_WORDS) {
    const packed = colour[at] | 0;
    const share = alpha[at] / 255;
    const red = numberOf(share * LIGHT[packed >> 16]);
    const green = numberOf(share * LIGHT[(packed >> 8) & 255]);
    const blue = numberOf(share * LIGHT[packed & 255]);
    light[word] = (red & 0xffff) | (green << 16);
    light[word + 1] = (blue & 0xffff) | (numberOf(share) << 16);
  }
}

/** Pixels that are rounded together. */
const ROUNDED = 256;
const packed = { colour: new Float32Array(ROUNDED), alpha: new Uint8Array(ROUNDED) };

/** Rounds the colours and the alpha of `count` pixels from `start` on to 8 bits. */
export function roundColours(light: Int32Array, start: number, count: number): void {
  for (let done = 0; done < count; done += ROUNDED) {
    const some = Math.min(ROUNDED, count - done);
    packLightRow(light, start + done, packed, 0, some);
    writeLight(packed, 0, light, start + done, some);
  }
}

/** Packs `count` pixels of light from `first` on into a row, from pixel `start` on. */
export function packLightRow(
  light: Int32Array,
  first: number,
  { colour, alpha }: PackedRow,
  start: number,
  count: number,
): void {
  for (let at = start, word = LIGHT_WORDS * first; at < start + count; at++, word += LIGHT_WORDS) {
    const red = lowerShare(light[word]);
    const green = upperShare(light[word]);
    const blue = lowerShare(light[word + 1]);
    let scale = 1;
    if (alpha !== null) {
      const share = upperShare(light[word + 1]);
      alpha[at] = Math.round((255 * share) / SPAN);
      scale = alpha[at] === 0 ? 0 : SPAN / share;
    }
    colour[at] = (byteOf(scale * red) << 16) | (byteOf(scale * green) << 8) | byteOf(scale * blue);
  }
}

const lowerShare = (word: number) => ((word << 16) >> 16) + ZERO;
const upperShare = (word: number) => (word >> 16) + ZERO;
// Local, because V8 loads an imported table again for each pixel.
const levels = SRGB8_BY_LIGHT;
const byteOf = (light: number) => levels[(Math.min(light, SPAN) + 0.5) | 0];
