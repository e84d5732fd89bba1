/** A pixel's footprint on the print: millimetres for one pixel to the right and one down. */
export interface Outline {
  ux: number;
  uy: number;
  vx: number;
  vy: number;
}
