/** The blurred shadow of a flat shape in front of a wall or on a table. */

import { clamp } from "../scalars.ts";
import { MOCKUP_SIZE } from "../scene.ts";

/** Places along a side of the shadow's grid, and pixels between them. */
const SIDE = 200;
const STEP = MOCKUP_SIZE / SIDE;

/** Share of light that the shadow removes at a pixel, 0…1. */
export type SoftShadow = (x: number, y: number) => number;

/** Blurs what `covers` (0…1) over about `blur` pixels: three box filters, nearly a Gaussian. */
export function softShadow(covers: (x: number, y: number) => number, blur: number): SoftShadow {
  const cells = new Float32Array(SIDE * SIDE);
  for (let j = 0, at = 0; j < SIDE; j++) {
    for (let i = 0; i < SIDE; i++, at++) cells[at] = covers((i + 0.5) * STEP, (j + 0.5) * STEP);
  }
  const radius = Math.max(1, Math.round(blur / STEP / 2));
  for (let pass = 0; pass < 3; pass++) {
    for (let k = 0; k < SIDE; k++) box(cells, k * SIDE, 1, radius);
    for (let k = 0; k < SIDE; k++) box(cells, k, SIDE, radius);
  }
  return (x, y) => {
    // The quadratic B-spline over 3 × 3 places has no creases, which bilinear light would have.
    const i = clamp(x / STEP - 0.5, 1, SIDE - 2);
    const j = clamp(y / STEP - 0.5, 1, SIDE - 2);
    const column = Math.round(i);
    const row = Math.round(j);
    const s = i - column;
    const t = j - row;
    const left = 0.5 * (0.5 - s) * (0.5 - s);
    const right = 0.5 * (0.5 + s) * (0.5 + s);
    const above = 0.5 * (0.5 - t) * (0.5 - t);
    const below = 0.5 * (0.5 + t) * (0.5 + t);
    const across = (at: number) =>
      left * cells[at - 1] + (1 - left - right) * cells[at] + right * cells[at + 1];
    const at = row * SIDE + column;
    return above * across(at - SIDE) + (1 - above - below) * across(at) + below * across(at + SIDE);
  };
}

const line = new Float32Array(SIDE);

/** Replaces a row or column by means over 2 · radius + 1 of its cells; its ends are extended. */
function box(cells: Float32Array, first: number, stride: number, radius: number): void {
  for (let k = 0; k < SIDE; k++) line[k] = cells[first + k * stride];
  let sum = 0;
  for (let k = -radius; k <= radius; k++) sum += line[clamp(k, 0, SIDE - 1)];
  for (let k = 0; k < SIDE; k++) {
    cells[first + k * stride] = sum / (2 * radius + 1);
    sum += line[Math.min(k + radius + 1, SIDE - 1)] - line[Math.max(k - radius, 0)];
  }
}
