/** How a pixel's outline lies on the print: millimetres for one pixel to the right and one down. */
export interface Outline {
  ux: number;
  uy: number;
  vx: number;
  vy: number;
}
