/** The boundary of the sRGB gamut: the largest chroma of every OKLab hue and lightness. */
import { unboundedFromOklab } from "../../lib/colour.ts";
import { layout, type RecordOf } from "../../lib/layout.ts";

/** Hues at which the boundary is computed: 512 in each quadrant of the a-b plane. */
const HUES = 2048;

/** Table entries from one to the next: fine enough that no step is visible. */
const BETWEEN = 4;

/** Rounds of bisection: to 2^−24 of the initial interval. */
const ROUNDS = 24;

/**
 * Tolerance below 0 of a channel on the way to the cusp, of about 10 at L = 1: on the line
 * to pure blue it does so by less and comes back, and the line would end too early.
 */
const DENT = 0.012;

let table: Float32Array | undefined;

/** A hue: lightness L* and chroma C* of its cusp, the most colourful point, and the boundary above. */
export const GAMUT_HUE = layout({ lightness: 1, chroma: 1, p: 1, q: 1, r: 1 });
export type GamutHue = RecordOf<typeof GAMUT_HUE>;

/**
 * Records of 8192 hues. Hues are numbered along the diamond |a| + |b| = 1
 * from −b over a to b and back, 2048 a quadrant, which needs no arc tangent.
 *
 * Below the cusp the boundary is the straight line to black, because scaling an OKLab colour
 * scales its light. Above, with u = (1 − L) / (1 − L*), it is C*·u·(1 + (1 − u)·(p + q·u + r·u²)),
 * a fit through three points of it, within 0.002. (B. Ottosson, "sRGB gamut clipping", 2021, has
 * the cusp and the triangle.)
 */
export function gamutTable(): Float32Array {
  table ??= boundaries();
  return table;
}

function boundaries(): Float32Array {
  const found = Array.from({ length: HUES }, (_, hue) => boundaryOf((hue * 4) / HUES));
  const entries = Array.from({ length: HUES * BETWEEN }, (_, index) => {
    const hue = Math.floor(index / BETWEEN);
    const share = (index + 0.5) / BETWEEN - hue;
    const from = found[hue];
    const to = found[(hue + 1) % HUES];
    return from.map((value, part) => value + (to[part] - value) * share);
  });
  return Float32Array.from(entries.flat());
}

/** Returns the five numbers of the hue at a position 0…4 along the diamond. */
function boundaryOf(place: number): number[] {
  const b = place < 2 ? place - 1 : 3 - place;
  const a = (1 - Math.abs(b)) * (place < 2 ? 1 : -1);
  const length = Math.hypot(a, b);
  const light = (lightness: number, chroma: number) =>
    unboundedFromOklab([lightness, (a / length) * chroma, (b / length) * chroma]);

  // Along L = 1 a channel falls to 0 where it does on the whole line to black below.
  const saturation = largest(1, (chroma) => Math.min(...light(1, chroma)) >= -DENT);
  const cusp = 1 / Math.cbrt(Math.max(...light(1, saturation)));
  const chroma = saturation * cusp;

  const [first, second, third] = [0.25, 0.5, 0.75].map((u) => {
    const lightness = 1 - u * (1 - cusp);
    const room = largest(chroma * 1.5, (reach) => {
      const channels = light(lightness, reach);
      return Math.min(...channels) >= 0 && Math.max(...channels) <= 1;
    });
    return (room / (chroma * u) - 1) / (1 - u);
  });
  // The parabola through (¼, first), (½, second), (¾, third).
  const r = 8 * (first - 2 * second + third);
  const q = 4 * (second - first) - 0.75 * r;
  const p = first - q / 4 - r / 16;
  return [cusp, chroma, p, q, r];
}

/** Returns the largest number up to `end` for which a condition holds; it holds from 0 to a limit. */
function largest(end: number, holds: (value: number) => boolean): number {
  let low = 0;
  let high = end;
  for (let round = 0; round < ROUNDS; round++) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
