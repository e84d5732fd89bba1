/**
 * The kernel for where a single sample of an opaque source is enough: inside the fundamental
 * domain, that is nearly everywhere. It gives the very bits of the orbit kernel with one element,
 * in half its time; gpu.js's helper functions would cost more than they save, so both spell out
 * the bilinear sample and change together.
 */
import type { Kernel } from "./kernel.ts";
import type { SourceThis } from "./orbit.ts";

/**
 * One bilinear sample.
 * @param x, y positions in the fundamental domain, relative to its centre, in cell edges
 * @param elements the window's table, of which the identity's map to the source is read
 */
function lay(this: SourceThis, x: Float32Array, y: Float32Array, elements: Float32Array): number {
  const px = x[this.thread.x];
  const py = y[this.thread.x];
  const sx = Math.min(
    Math.max(elements[0] * px + elements[1] * py + elements[2], 0),
    this.constants.width - 1,
  );
  const sy = Math.min(
    Math.max(elements[3] * px + elements[4] * py + elements[5], 0),
    this.constants.height - 1,
  );
  const x0 = Math.floor(sx);
  const y0 = Math.floor(sy);
  const fx = sx - x0;
  const fy = sy - y0;
  // At the last column and row the neighbour is the pixel itself.
  const x1 = Math.min(x0 + 1, this.constants.width - 1);
  const y1 = Math.min(y0 + 1, this.constants.height - 1);
  const i = x0 * 3;
  const j = x1 * 3;
  const w00 = (1 - fx) * (1 - fy);
  const w10 = fx * (1 - fy);
  const w01 = (1 - fx) * fy;
  const w11 = fx * fy;
  const red =
    this.constants.source[y0][i] * w00 +
    this.constants.source[y0][j] * w10 +
    this.constants.source[y1][i] * w01 +
    this.constants.source[y1][j] * w11;
  const green =
    this.constants.source[y0][i + 1] * w00 +
    this.constants.source[y0][j + 1] * w10 +
    this.constants.source[y1][i + 1] * w01 +
    this.constants.source[y1][j + 1] * w11;
  const blue =
    this.constants.source[y0][i + 2] * w00 +
    this.constants.source[y0][j + 2] * w10 +
    this.constants.source[y1][i + 2] * w01 +
    this.constants.source[y1][j + 2] * w11;
  const r = Math.floor(Math.sqrt(Math.min(red, 1)) * this.constants.transferTop + 0.5);
  const g = Math.floor(Math.sqrt(Math.min(green, 1)) * this.constants.transferTop + 0.5);
  const b = Math.floor(Math.sqrt(Math.min(blue, 1)) * this.constants.transferTop + 0.5);
  return (
    this.constants.transfer[r] * 65536 +
    this.constants.transfer[g] * 256 +
    this.constants.transfer[b]
  );
}

/** One sample a pixel. */
export const layKernel: Kernel = { run: lay };
