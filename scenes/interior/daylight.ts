/** Daylight on a wall through a window with panes and soft edges. */
import { smoothstep } from "../scalars.ts";

/** Units of a pane, its bar included, and of the bar. */
const PANE = { width: 340, height: 420 };
const BAR = 46;

/** Softness of an edge. */
const BLUR = 34;

/** Slant of the light: to the right as it falls. */
const LEAN = 0.34;
const FALL = 0.2;

/** Returns the share of direct light at a point of the picture, 0…1; `left` and `top` place the window. */
export function daylightAt(x: number, y: number, left: number, top: number): number {
  const across = x - left - LEAN * (y - top);
  const down = y - top - FALL * (x - left);
  const width = 2 * PANE.width;
  const height = 3 * PANE.height;
  if (across < -BLUR || down < -BLUR || across > width + BLUR || down > height + BLUR) return 0;
  return band(across, PANE.width, width) * band(down, PANE.height, height);
}

/** Returns 1 within panes, 0 on the bars. */
function band(at: number, pane: number, length: number): number {
  const nearest = Math.min(Math.max(Math.round(at / pane), 0), Math.round(length / pane));
  const outside = at < 0 || at > length;
  const distance = outside ? -1 : Math.abs(at - nearest * pane);
  return smoothstep(0.5 * BAR - BLUR, 0.5 * BAR + BLUR, distance);
}
