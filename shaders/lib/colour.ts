/** Colours in JavaScript, for `prepare` functions; kernels receive linear light. */

/** Red, green and blue in linear light, 0…1. */
export type Linear = readonly [number, number, number];

/** Reads `#rrggbb`. */
export function linearFromHex(hex: string): Linear {
  const channel = (start: number) =>
    decodeChannel(Number.parseInt(hex.slice(start, start + 2), 16) / 255);
  return [channel(1), channel(3), channel(5)];
}

/** Linear light of an encoded value, both 0…1: the sRGB curve, IEC 61966-2-1. */
export function decodeChannel(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** Returns the encoded value of linear light, both 0…1: the inverse of `decodeChannel`. */
export function encodedChannel(light: number): number {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
}

/** Mixes two colours in OKLab, `share` of the second; keeps tints and shades clean. */
export function mixed(first: Linear, second: Linear, share: number): Linear {
  const a = oklabFromLinear(first);
  const b = oklabFromLinear(second);
  return linearFromOklab([
    a[0] + (b[0] - a[0]) * share,
    a[1] + (b[1] - a[1]) * share,
    a[2] + (b[2] - a[2]) * share,
  ]);
}

/** Shifts a colour's OKLab lightness by `by` (−1…1), keeping hue and chroma within the gamut. */
export function lightened(colour: Linear, by: number): Linear {
  const [lightness, a, b] = oklabFromLinear(colour);
  return linearFromOklab([Math.min(Math.max(lightness + by, 0), 1), a, b]);
}

/** OKLab lightness, 0 (black) … 1 (white). */
export function lightness(colour: Linear): number {
  return oklabFromLinear(colour)[0];
}

/** Lightness, a, b. Björn Ottosson, "A perceptual color space for image processing", 2020. */
export function oklabFromLinear([red, green, blue]: Linear): Linear {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Lightness, a, b as linear light, clipped to the gamut. */
export function linearFromOklab(oklab: Linear): Linear {
  const inGamut = (value: number) => Math.min(Math.max(value, 0), 1);
  const [red, green, blue] = unboundedFromOklab(oklab);
  return [inGamut(red), inGamut(green), inGamut(blue)];
}

/** Lightness, a, b as linear light; below 0 or above 1 outside the gamut. */
export function unboundedFromOklab([lightness, a, b]: Linear): Linear {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}
