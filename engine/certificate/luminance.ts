/** How much contrast a picture has. */
import type { Swatch } from "./certificate.ts";

/** Rec. 709. */
const WEIGHTS = [0.2126, 0.7152, 0.0722] as const;

/**
 * Standard deviation of the luminance of a picture's encoded (sRGB) colours, in 8-bit steps;
 * transparent pixels count by their alpha.
 */
export function luminanceDeviation({ channels, pixels }: Pick<Swatch, "channels" | "pixels">) {
  let [weight, sum, squares] = [0, 0, 0];
  for (let at = 0; at < pixels.length; at += channels) {
    const luminance =
      WEIGHTS[0] * (pixels[at] as number) +
      WEIGHTS[1] * (pixels[at + 1] as number) +
      WEIGHTS[2] * (pixels[at + 2] as number);
    const alpha = channels === 4 ? (pixels[at + 3] as number) / 255 : 1;
    weight += alpha;
    sum += alpha * luminance;
    squares += alpha * luminance * luminance;
  }
  if (weight === 0) return 0;
  return Math.sqrt(Math.max(0, squares / weight - (sum / weight) ** 2));
}
