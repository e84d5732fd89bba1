/** How much a picture differs, across a cut, from its copy on the other side. */
import type { Affine, Point } from "../../geometry/affine.ts";
import type { CoarsePicture } from "./coarse-picture.ts";
import { Interpolation } from "./grid.ts";

/** Red, green and blue, −1…1. */
export type Jump = readonly [number, number, number];

/** A jump is the mean over so many points each way. */
const POINTS = 5;

/**
 * Points where the pictures differ less than this, of 1, count most: a cut runs there, and what lies beside it
 * must not tint both.
 */
const SMALL = 0.1;

/**
 * Returns the function that measures how much brighter, in each channel, a picture is at the image of a point than
 * at the point itself: the mean around it, so that one copy's texture does not show in the other.
 * @param step distance between the points that count
 */
export function jumpReader({ grid, channels }: CoarsePicture, step: number) {
  const here = new Interpolation(grid);
  const there = new Interpolation(grid);
  const [red, green, blue] = channels;
  return ({ x, y }: Point, { a, b, c, d, e, f }: Affine): Jump => {
    let reds = 0;
    let greens = 0;
    let blues = 0;
    let weights = 0;
    for (let row = 0; row < POINTS; row++) {
      const v = y + (row - (POINTS - 1) / 2) * step;
      for (let column = 0; column < POINTS; column++) {
        const u = x + (column - (POINTS - 1) / 2) * step;
        here.locate(u, v);
        there.locate(a * u + b * v + e, c * u + d * v + f);
        const redder = there.read(red) - here.read(red);
        const greener = there.read(green) - here.read(green);
        const bluer = there.read(blue) - here.read(blue);
        const weight = 1 / (SMALL * SMALL + redder * redder + greener * greener + bluer * bluer);
        weights += weight;
        reds += weight * redder;
        greens += weight * greener;
        blues += weight * bluer;
      }
    }
    return [reds / weights, greens / weights, blues / weights];
  };
}
