/** Rows of stitches beside an edge. */
import type { Line } from "./outline.ts";

export interface Row {
  /** Pixels from the edge. */
  readonly from: number;
  /** Pixels from one stitch to the next. */
  readonly pitch: number;
}

/** Returns the factor of the light at a point beside the edge. */
export type Stitches = (x: number, y: number) => number;

/** Returns stitches in `rows` beside `edge`: a soft groove, with a pit at each end of a stitch. */
export function stitchesBeside(edge: Line, rows: readonly Row[]): Stitches {
  const farthest = Math.max(...rows.map(({ from }) => from)) + 8;
  return (x, y) => {
    const distance = Math.abs(edge.distance(x, y));
    if (distance > farthest) return 1;
    let light = 1;
    for (const { from, pitch } of rows) {
      const across = distance - from;
      const groove = Math.exp((-across * across) / 14);
      if (groove < 0.01) continue;
      const place = edge.along(x, y) / pitch;
      const into = (place - Math.floor(place) - 0.5) * pitch;
      const pit = Math.exp(-(across * across) / 2.2 - (into * into) / 2.2);
      const thread = Math.exp((-across * across) / 1.4);
      light *= 1 - 0.1 * groove - 0.3 * pit + 0.1 * (thread - pit);
    }
    return light;
  };
}
