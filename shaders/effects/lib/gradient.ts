/** A palette as a gradient from its darkest colour to its lightest. */
import type { Linear } from "../../lib/colour.ts";

/** Entries of the table. */
export const GRADIENT_STEPS = 1024;

/**
 * Lightness, a, b for the lightness 0…1 of pixels, 1024 of them. Colours are sorted by lightness
 * and lie half at their own lightness (the palette's range taken as the whole), half evenly
 * spaced: two of nearly the same lightness would otherwise meet in a step.
 * @param colours two or more OKLab colours
 */
export function gradientOf(colours: readonly Linear[]): Float32Array {
  const sorted = colours.toSorted((one, other) => one[0] - other[0]);
  const last = sorted.length - 1;
  const [darkest, lightest] = [sorted[0], sorted[last]];
  const range = Math.max(lightest[0] - darkest[0], 1e-6);
  const places = sorted.map(([lightness], n) => ((lightness - darkest[0]) / range + n / last) / 2);
  places[last] = 1;
  const steps = Array.from({ length: GRADIENT_STEPS }, (_, step) => {
    const place = step / (GRADIENT_STEPS - 1);
    const above = Math.max(
      places.findIndex((other) => other >= place),
      1,
    );
    const [from, to] = [places[above - 1], places[above]];
    const [below, beyond] = [sorted[above - 1], sorted[above]];
    const share = (place - from) / Math.max(to - from, 1e-9);
    return below.map((value, part) => value + (beyond[part] - value) * share);
  });
  return Float32Array.from(steps.flat());
}
