/**
 * Up to where a difference is none. Measured on all pairs of groups over three photographs (see
 * docs/certificates.md): true operations stay below 0.05 where a cell is 40 pixels wide and not a
 * whole number of them, and are 0 on the grid; false ones begin at 0.29, over a picture that is
 * nearly a mirror image of itself. JPEG at quality 30 adds 0.03 to cells of 256 pixels.
 */

/** Relative error of an operation, as a share of the picture's deviation. */
export const HOLDS = 0.15;

/**
 * Share of the power that may lie outside a lattice of translations. A translation turns a wave
 * outside into its opposite at the most, so that its relative error is `HOLDS` at the most.
 */
export const STRAY_POWER = HOLDS ** 2 / 4;

/** Local error, as a share of the picture's deviation, and no less than so many 8-bit steps. */
export const LOCAL_SHARE = 0.3;
export const LOCAL_STEPS = 8;

/** A picture whose deviation is less than so many 8-bit steps is of one colour. */
export const PLAIN = 0.25;
