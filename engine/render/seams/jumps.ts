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
 * at the point itself: the mean around it, so that one copy's texture does not show in the other.
 * @param step distance between the points that count
 */
export function jumpReader({ grid, channels }: CoarsePicture, step: number) {
  const here = new Interpolation(grid);
  const there = new Interpolation(grid);
  return ({ x, y }: Point, owner: Affine): readonly number[] => {
    const sums = [0, 0, 0];
    let weights = 0;
    for (let n = 0; n < POINTS * POINTS; n++) {
      const u = x + ((n % POINTS) - (POINTS - 1) / 2) * step;
      const v = y + (Math.floor(n / POINTS) - (POINTS - 1) / 2) * step;
      here.locate(u, v);
      there.locate(owner.a * u + owner.b * v + owner.e, owner.c * u + owner.d * v + owner.f);
      const [red, green, blue] = channels;
      const reds = there.read(red) - here.read(red);
      const greens = there.read(green) - here.read(green);
      const blues = there.read(blue) - here.read(blue);
      const weight = 1 / (SMALL ** 2 + reds ** 2 + greens ** 2 + blues ** 2);
      weights += weight;
      sums[0] += weight * reds;
      sums[1] += weight * greens;
      sums[2] += weight * blues;
    }
    return sums.map((sum) => sum / weights);
  };
}
