/** A period as a tiling pattern (PDF 1.7, §8.7.3). */

import { rotation } from "../../geometry/affine.ts";
import { pageOf } from "../../print/page.ts";
import type { PrintPeriod } from "../../print/period.ts";
import type { PrintFields } from "../../recipe/index.ts";
import { array, type Dictionary, reals } from "./file.ts";
import { points } from "./page-objects.ts";

export interface TilingPattern {
  readonly entries: Dictionary;
  /** Content stream that draws a period from the image `Picture`. */
  readonly content: string;
}

/**
 * Returns the tiling pattern of a period. Its steps are exactly the period's sides; pixels are scaled to
 * fit. The image is larger than a step by its margins, where neighbours draw the same content: that
 * covers the hairlines that most viewers leave between abutting edges.
 * @param resources the resource dictionary, with the image `Picture`
 */
export function tilingOf(
  period: PrintPeriod,
  print: PrintFields,
  resources: string,
): TilingPattern {
  const { width, height, margin, geometry } = period;
  const page = pageOf(print);
  const [stepX, stepY] = [points(width), points(height)];
  const pixelX = stepX / (geometry.width - 2 * margin.across);
  const pixelY = stepY / (geometry.height - 2 * margin.down);
  const left = -margin.across * pixelX;
  const bottom = -stepY - margin.down * pixelY;
  const [across, up] = [geometry.width * pixelX, geometry.height * pixelY];
  // Clockwise is negative with y up.
  const turn = rotation(-print.rotation);
  const origin = [
    points(page.trim.left + print.offset_mm.x),
    points(page.height - page.trim.top - print.offset_mm.y),
  ];
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
      Matrix: array([turn.a, turn.c, turn.b, turn.d, ...origin]),
      Resources: resources,
    },
    content: `${reals([across, 0, 0, up, left, bottom])} cm /Picture Do\n`,
  };
}
