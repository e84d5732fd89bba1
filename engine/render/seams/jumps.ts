/** How much a picture differs, across a cut, from its copy on the other side. */
import type { Affine, Point } from "../../geometry/affine.ts";
import type { CoarsePicture } from "./coarse-picture.ts";
import { Interpolation } from "./grid.ts";

/** A jump is the mean over so many points each way. */
const POINTS = 5;

/**
 * Points where the pictures differ less than this, of 1, count most: a cut runs there, and what lies beside it
 * must not tint both.
 */
const SMALL = 0.1;

/**
 * Returns the function that measures how much brighter, in each channel, a picture is at the image of a point than
 * at the point itself: the mean around it, so that one copy's texture does not show in the other. What it returns, red,
 * green and blue, −1…1, holds until its next call.
 * @param step distance between the points that count
 */
export function jumpReader({ grid, colours }: CoarsePicture, step: number) {
  const here = new Interpolation(grid);
  const there = new Interpolation(grid);
  const [before, after] = [new Float64Array(3), new Float64Array(3)];
  const jump = new Float64Array(3);
  return ({ x, y }: Point, { a, b, c, d, e, f }: Affine): Float64Array => {
    let weights = 0;
    jump.fill(0);
    for (let row = 0; row < POINTS; row++) {
      const v = y + (row - (POINTS - 1) / 2) * step;
      for (let column = 0; column < POINTS; column++) {
        const u = x + (column - (POINTS - 1) / 2) * step;
        here.locate(u, v);
        here.readColour(colours, before);
        there.locate(a * u + b * v + e, c * u + d * v + f);
        there.readColour(colours, after);
        const redder = after[0] - before[0];
        const greener = after[1] - before[1];
        const bluer = after[2] - before[2];
        const weight = 1 / (SMALL * SMALL + redder * redder + greener * greener + bluer * bluer);
        weights += weight;
        jump[0] += weight * redder;
        jump[1] += weight * greener;
        jump[2] += weight * bluer;
      }
    }
    for (let channel = 0; channel < 3; channel++) jump[channel] /= weights;
    return jump;
  };
}
