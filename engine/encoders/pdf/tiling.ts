/** An image as a tiling pattern (PDF 1.7, §8.7.3). */

import { rotation } from "../../geometry/affine.ts";
import type { Size } from "../../size.ts";
import { array, type Dictionary, reals } from "./file.ts";
import { points } from "./page-objects.ts";

/** How an image repeats on a page. */
export interface Tiling {
  /** From one copy to the next, in millimetres. */
  readonly step: Size;
  /** Pixels on each side of the image that show the neighbouring copies. */
  readonly margin: { readonly across: number; readonly down: number };
  /** Degrees clockwise. */
  readonly rotation: number;
  /** Top left corner of a step, in millimetres from the page's bottom left corner, y up. */
  readonly origin: { readonly x: number; readonly y: number };
}

export interface TilingPattern {
  readonly entries: Dictionary;
  /** Content stream that draws the image `Picture`. */
  readonly content: string;
}

/**
 * Returns the tiling pattern of an image. Pixels are scaled to fit the steps. The image is larger than a
 * step by its margins, where neighbours draw the same content: that covers the hairlines that most
 * viewers leave between abutting edges.
 * @param resources the resource dictionary, with the image `Picture`
 */
export function tilingPattern(
  { step, margin, rotation: degrees, origin }: Tiling,
  image: Size,
  resources: string,
): TilingPattern {
  const [stepX, stepY] = [points(step.width), points(step.height)];
  const pixelX = stepX / (image.width - 2 * margin.across);
  const pixelY = stepY / (image.height - 2 * margin.down);
  const left = -margin.across * pixelX;
  const bottom = -stepY - margin.down * pixelY;
  const [across, up] = [image.width * pixelX, image.height * pixelY];
  // Clockwise is negative with y up.
  const turn = rotation(-degrees);
  return {
    entries: {
      Type: "/Pattern",
      PatternType: "1",
      PaintType: "1",
      // No distortion: spacing may vary by a device pixel, but cells are not resized to whole pixels.
      TilingType: "2",
      BBox: array([left, bottom, left + across, bottom + up]),
      XStep: reals([stepX]),
      YStep: reals([stepY]),
      Matrix: array([turn.a, turn.c, turn.b, turn.d, points(origin.x), points(origin.y)]),
      Resources: resources,
    },
    content: `${reals([across, 0, 0, up, left, bottom])} cm /Picture Do\n`,
  };
}
