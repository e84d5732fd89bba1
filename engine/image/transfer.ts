/**
 * The sRGB transfer curves (IEC 61966-2-1) as tables: a lookup is cheaper than a power and returns the
 * same number on every backend.
 */
import { decodeChannel, encodedChannel } from "../../shaders/lib/colour.ts";

/**
 * Linear light 0…1 of each of the 256 8-bit sRGB values, rounded to 32 bits as kernels round it, but in an array
 * of 64 bits: JavaScript converts each 32-bit number that it reads.
 */
export const SRGB8_TO_LINEAR = Float64Array.from({ length: 256 }, (_, level) =>
  Math.fround(decodeChannel(level / 255)),
);

/**
 * Entries of `srgbBySquareRoot`. As a function of the square root of light the curve's slope is at most
 * 1.45, so an entry spans at most 0.09 of an 8-bit level and rounding to an entry moves the value by at
 * most 0.045 levels before the final rounding (an index linear in light would need 45 times as many
 * entries). 16 KiB fit in the L1 cache.
 */
export const SRGB_TABLE_SIZE = 4096;

/**
 * 8-bit sRGB values (0…255, whole numbers) by the square root of linear light:
 * `srgbBySquareRoot[Math.floor(Math.sqrt(light) * (SRGB_TABLE_SIZE - 1) + 0.5)]` for a light in
 * 0…1. The square root is exact in IEEE 754, and kernels can index the table directly. Within 0.55
 * levels of the curve; every 8-bit value survives a round trip through `SRGB8_TO_LINEAR`.
 */
export const srgbBySquareRoot: Float32Array = Float32Array.from(
  { length: SRGB_TABLE_SIZE },
  (_, index) => Math.round(255 * encodedChannel((index / (SRGB_TABLE_SIZE - 1)) ** 2)),
);

/**
 * 8-bit sRGB values by linear light 0…1. An entry spans at most 0.05 levels, in the darkest colours. Four times
 * the size of `srgbBySquareRoot`, but without its root: for JavaScript, where a look-up costs little.
 */
export const SRGB8_BY_LIGHT: Uint8Array = Uint8Array.from({ length: 65536 }, (_, index) =>
  Math.round(255 * encodedChannel(index / 65535)),
);
