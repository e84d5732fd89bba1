/**
 * Up to where a difference is none. Measured on all pairs of groups over three photographs (see
 * docs/certificates.md): true operations stay below 0.05 where a cell is 40 pixels wide and not a
 * whole number of them, and are 0 on the grid; false ones begin at 0.29, over a picture that is
 * nearly a mirror image of itself. JPEG at quality 30 adds 0.03 to cells of 256 pixels.
 */

/** Relative error of an operation, as a share of the picture's deviation. */
export const MAX_RELATIVE_ERROR = 0.15;

/**
 * Share of the power that may lie outside a lattice of translations. A translation turns a wave
 * outside into its opposite at the most, so that its relative error is `MAX_RELATIVE_ERROR` at the most.
 */
export const STRAY_POWER = MAX_RELATIVE_ERROR ** 2 / 4;

/**
 * Local error, as a share of the picture's deviation, and no less than so many 8-bit steps. In
 * patches of 12 pixels JPEG at quality 30 brings up to 0.1 or 4.9 steps; half a picture moved by 2
 * pixels brings 0.3 and more.
 */
export const LOCAL_ERROR_SHARE = 0.15;
export const MIN_LOCAL_TOLERANCE = 5;

/**
 * Strain up to which a lattice counts as having a group's shape: what 7 × 4 hexagonal cells in a
 * square have.
 */
export const MAX_STRAIN = 0.0105;

/**
 * Root mean square difference of single pixels under an operation that takes pixels onto pixels,
 * as a share of the picture's deviation. JPEG at quality 30 brings 0.23 into a halftone screen
 * and 0.06 into a photograph, grain of 5 steps 0.15.
 */
export const MAX_PIXEL_ERROR = 0.3;
/** The same where the origin lies between the pixels: interpolation smooths what differs. */
export const MAX_OFF_GRID_ERROR = 0.15;

/**
 * A primitive cell of fewer pixels than this is small. Turned by 60° its detail falls between the
 * pixels, and groups that differ look alike.
 */
export const SMALL_CELL_PIXELS = 600;
/** Errors up to which an operation of a small cell holds; above, it is open. */
export const MAX_SMALL_CELL_ERROR = 0.05;
/** In small cells and in fine detail what is seen between pixels fails only above this. */
export const MIN_CERTAIN_ERROR = 0.45;
/** Share of the power that may lie outside translations that could be there, `MIN_CERTAIN_ERROR` so seen. */
export const UNCERTAIN_STRAY_POWER = MIN_CERTAIN_ERROR ** 2 / 4;

/**
 * In a picture of fewer pixels, cells of fine detail are so few pixels wide that they differ by as
 * much as their contrast; then so much of the power may lie outside.
 */
export const TINY_PICTURE_PIXELS = 64 ** 2;
export const TINY_STRAY_POWER = 0.25;

/** A picture whose deviation is less than so many 8-bit steps is of one colour. */
export const PLAIN_DEVIATION = 0.25;
