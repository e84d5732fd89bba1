/** A satin ribbon around a box, tied in a bow on its lid. */
import { length2, smoothstep } from "../scalars.ts";
import { toBox, toRectangle } from "../still-life/distances.ts";
import { HALF } from "./box.ts";

/** Half the ribbon's width, and its thickness, in millimetres. */
const WIDTH = 10;
const THICK = 0.55;

/** Radius of a ring around the knot. */
const KNOT = 12;

const LID = 2 * HALF.y;

/** Loops of the bow: angle about the upright axis, length, height, rise. */
const LOOPS = [
  { turn: 0.12, long: 37, high: 15, rise: 0.32 },
  { turn: Math.PI - 0.1, long: 38, high: 15.5, rise: 0.3 },
  { turn: 1.05, long: 29, high: 13, rise: 0.62 },
  { turn: Math.PI + 1.1, long: 30, high: 13, rise: 0.58 },
].map(({ turn, long, high, rise }) => ({
  cos: Math.cos(turn),
  sin: Math.sin(turn),
  riseCos: Math.cos(rise),
  riseSin: Math.sin(rise),
  long,
  high,
}));

/** Ends of the ribbon: direction on the lid, and length. */
const ENDS = [
  { turn: 0.78, length: 62 },
  { turn: -0.92, length: 56 },
].map(({ turn, length }) => ({ cos: Math.cos(turn), sin: Math.sin(turn), length }));

/**
 * Returns at most the signed distance to bands and bow, in the box's own axes.
 * @param box the distance to the box without them
 */
export function toRibbon(x: number, y: number, z: number, box: number): number {
  const bands = box > 2 ? box - THICK : toBands(x, y, z);
  if (LID - 1 - y > bands) return bands;
  const near = toBox(x, y - LID - 24, z, 77, 25, 66, 0);
  return near > 3 ? Math.min(bands, near) : toBow(x, y - LID, z, bands);
}

function toBands(x: number, y: number, z: number): number {
  return Math.min(
    toBox(x, y - HALF.y, z, WIDTH, HALF.y + THICK, HALF.z + THICK, 0.5),
    toBox(x, y - HALF.y, z, HALF.x + THICK, HALF.y + THICK, WIDTH, 0.5),
  );
}

/** Returns the distance to the bow, with its knot at the origin, if it is less than `limit`. */
function toBow(x: number, y: number, z: number, limit: number): number {
  let near = limit;
  if (x * x + z * z < (KNOT + near) * (KNOT + near)) {
    near = Math.min(near, toBox(x, y - 6, z, 8.5, 6.5, 8, 5));
  }
  for (let k = 0; k < LOOPS.length; k++) {
    const { cos, sin, riseCos, riseSin, long, high } = LOOPS[k];
    // A loop is narrow: most points are further beside it than from something else.
    const side = z * cos - x * sin;
    if (Math.abs(side) > WIDTH + 1 + near) continue;
    const out = x * cos + z * sin;
    const along = out * riseCos + (y - 5) * riseSin;
    const above = (y - 5) * riseCos - out * riseSin;
    if (along < -near || along > 2 * long + 1 + near || Math.abs(above - 2) > high + 1 + near) {
      continue;
    }
    const px = (along - long) / long;
    // Drop-shaped: narrow at the knot, and the upper half is fuller than the lower.
    const open = high * (0.35 + 0.65 * smoothstep(0, 1.3 * long, along));
    const py = (above - 2) / open;
    const from = length2(px, py);
    const slope = length2(px / long, py / open);
    const sheet = Math.abs((from * (from - 1)) / Math.max(slope, 1e-3));
    const half = WIDTH * (0.5 + 0.55 * smoothstep(0, 1.2 * long, along));
    near = Math.min(near, 0.7 * toRectangle(sheet, side, THICK, half, 0.4));
  }
  if (y > near + 13) return near;
  for (let k = 0; k < ENDS.length; k++) {
    const { cos, sin, length } = ENDS[k];
    const out = x * cos + z * sin;
    const side = z * cos - x * sin;
    if (out < -near || out > length + near || Math.abs(side) > WIDTH + near) continue;
    const lift = 2.2 + 6.5 * Math.exp(-out / 13) + 2.6 * Math.sin(out * 0.11) ** 2;
    const cut = 0.8 * (out - length + 0.6 * side);
    const flat = toRectangle(y - lift, side, THICK, WIDTH, 0.4);
    near = Math.min(near, 0.75 * Math.max(flat, cut, -out));
  }
  return near;
}
