/**
 * Tolerances of certificates. Measured on all pairs of groups over three photographs (see
 * docs/certificates.md): true operations stay below 0.05 where a cell is 40 pixels wide and not a
 * whole number of them, and are 0 on the grid; false ones begin at 0.29, over a picture that is
 * nearly a mirror image of itself. JPEG at quality 30 adds 0.03 to cells of 256 pixels.
 */

/** Largest relative error at which an operation holds, as a share of the picture's deviation. */
export const MAX_RELATIVE_ERROR = 0.15;

/**
 * Largest share of the power outside the dual of a lattice of translations. At worst a translation
 * negates a wave outside, so the relative error is at most `MAX_RELATIVE_ERROR`.
 */
export const STRAY_POWER = MAX_RELATIVE_ERROR ** 2 / 4;

/**
 * Largest local error at which an operation holds, as a share of the picture's deviation, but at least
 * `MIN_LOCAL_TOLERANCE` 8-bit steps. In patches of 12 pixels, JPEG at quality 30 adds up to 0.1 or 4.9
 * steps; half a picture moved by 2 pixels adds 0.3 and more.
 */
export const LOCAL_ERROR_SHARE = 0.15;
export const MIN_LOCAL_TOLERANCE = 5;

/**
 * Largest strain at which a lattice counts as having a group's shape: that of 7 × 4 hexagonal cells in
 * a square.
 */
export const MAX_STRAIN = 0.0105;

/**
 * Largest root mean square difference of single pixels under an operation that maps pixels to pixels,
 * as a share of the picture's deviation. JPEG at quality 30 adds 0.23 to a halftone screen and 0.06 to
 * a photograph; grain of 5 steps adds 0.15.
 */
export const MAX_PIXEL_ERROR = 0.3;
/** The same for an origin between pixels: interpolation smooths differences. */
export const MAX_OFF_GRID_ERROR = 0.17;

/**
 * A primitive cell of fewer pixels is small: turned by 60° its detail falls between pixels, and
 * different groups look alike.
 */
export const SMALL_CELL_PIXELS = 600;
/** Largest error at which an operation of a small cell holds; above, it is undecided. */
export const MAX_SMALL_CELL_ERROR = 0.05;
/** In small cells and in fine detail, an operation off the grid fails only above this error. */
export const MIN_CERTAIN_ERROR = 0.45;
/** Stray power up to which translations are possible, by the same derivation as `STRAY_POWER`. */
export const UNCERTAIN_STRAY_POWER = MIN_CERTAIN_ERROR ** 2 / 4;

/**
 * In a picture of fewer pixels, cells of fine detail are so few pixels wide that they differ by as
 * much as their contrast; then `TINY_STRAY_POWER` of the power may be outside the dual lattice.
 */
export const TINY_PICTURE_PIXELS = 64 ** 2;
export const TINY_STRAY_POWER = 0.25;

/** A picture with less deviation than this, in 8-bit steps, counts as one colour. */
export const PLAIN_DEVIATION = 0.25;
