/** Mixes the light of pixels where a picture is continued beyond its edges. */
import { halfWords, LIGHT_WORDS, roundColours, ZERO } from "./light.ts";
import { SRGB8_BY_LIGHT } from "./transfer.ts";

/** What the weights of a mix add up to, as a power of two. */
export const WEIGHT_BITS = 15;
export const WHOLE_WEIGHT = 1 << WEIGHT_BITS;
const HALF = 1 << (WEIGHT_BITS - 1);

// Local, because V8 loads an imported table again for each pixel, which takes as long as mixing it.
const { lower, upper } = halfWords;
const levels = SRGB8_BY_LIGHT;
const OPAQUE = upper[255];

/** Returns the lower halves of three words, mixed by their weights; `mixUpper` does the same with the upper ones. */
const mixLower = (own: number, a: number, byB: number, b: number, byC: number, c: number) =>
  (Math.imul(own, (a << 16) >> 16) +
    Math.imul(byB, (b << 16) >> 16) +
    Math.imul(byC, (c << 16) >> 16) +
    HALF) >>
  WEIGHT_BITS;
const mixUpper = (own: number, a: number, byB: number, b: number, byC: number, c: number) =>
  (Math.imul(own, a >> 16) + Math.imul(byB, b >> 16) + Math.imul(byC, c >> 16) + HALF) >>
  WEIGHT_BITS;

/**
 * Mixes pixels of two rows into `count` pixels of a third one, from `start` on. Colours are rounded to 8 bits, so that they are
 * the same where they are packed.
 * @param weights as in `Mixes`; those of the first pixel begin at `first`, and those of the next one `step` numbers later
 */
export function mixRows(
  into: Int32Array,
  start: number,
  near: Int32Array,
  far: Int32Array,
  count: number,
  weights: Int32Array,
  first: number,
  step: 0 | 3,
  hasAlpha: boolean,
): void {
  let weight = first;
  for (let from = 0, word = LIGHT_WORDS * start; from < LIGHT_WORDS * count; from += 2, word += 2) {
    const own = weights[weight];
    const byNear = weights[weight + 1];
    const byFar = weights[weight + 2];
    const a = into[word];
    const b = near[from];
    const c = far[from];
    const nextA = into[word + 1];
    const nextB = near[from + 1];
    const nextC = far[from + 1];
    const red = mixLower(own, a, byNear, b, byFar, c);
    const green = mixUpper(own, a, byNear, b, byFar, c);
    const blue = mixLower(own, nextA, byNear, nextB, byFar, nextC);
    if (hasAlpha) {
      const alpha = mixUpper(own, nextA, byNear, nextB, byFar, nextC);
      into[word] = (red & 0xffff) | (green << 16);
      into[word + 1] = (blue & 0xffff) | (alpha << 16);
    } else {
      // A function for this would take V8 half as long again.
      into[word] = lower[levels[red + ZERO]] | upper[levels[green + ZERO]];
      into[word + 1] = lower[levels[blue + ZERO]] | OPAQUE;
    }
    weight += step;
  }
  if (hasAlpha) roundColours(into, start, count);
}
