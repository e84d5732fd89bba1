/**
 * Takes the picture: every pixel is looked at once, those on edges many times, and what is printed
 * is looked up through the outline that the pixel has on the print.
 */
import { packLight } from "../image/packed.ts";
import { isEdge } from "./edges.ts";
import { emptyFragment } from "./fragment.ts";
import { createFrame, type Frame } from "./frame.ts";
import { hash } from "./noise.ts";
import type { Outline, Print } from "./print.ts";
import { MOCKUP_SIZE, type Scene } from "./product.ts";

/** Rows between two checkpoints. */
const BAND = 32;

/** Looks at a pixel on an edge: a lattice of 8 points, no two in one column or row. */
const LOOKS = Array.from({ length: 8 }, (_, k) => ({
  x: (k + 0.5) / 8,
  y: (((k * 3) % 8) + 0.5) / 8,
}));

/** Sum of the fine grain that keeps slow gradients from showing steps, as a share of the light. */
const GRAIN = 0.008;

/**
 * Photographs a scene with its print.
 * @param size pixels of the picture's side
 * @param checkpoint called every few rows; may throw
 * @returns size × size pixels of 8-bit sRGB
 */
export async function photograph(
  scene: Scene,
  print: Print,
  size: number,
  checkpoint: () => Promise<void>,
): Promise<Uint8Array> {
  const pixels = new Uint8Array(3 * size * size);
  const frame = createFrame(scene, size, BAND);
  const develop = createDeveloper(scene, print, size, frame);
  for (let first = 0; first < size; first += BAND) {
    const count = Math.min(BAND, size - first);
    frame.look(first, count);
    for (let y = first; y < first + count; y++) {
      for (let x = 0, at = 3 * y * size; x < size; x++, at += 3) {
        const packed = develop(x, y);
        pixels[at] = packed >> 16;
        pixels[at + 1] = packed >> 8;
        pixels[at + 2] = packed;
      }
    }
    await checkpoint();
  }
  return pixels;
}

/** Gives a function that turns a pixel of the frame into a packed colour. */
function createDeveloper(scene: Scene, print: Print, size: number, frame: Frame) {
  const scale = MOCKUP_SIZE / size;
  const outline: Outline = { ux: 0, uy: 0, vx: 0, vy: 0 };
  const ink = new Float64Array(4);
  const light = new Float64Array(3);
  const seen = emptyFragment();

  /** Adds what is seen to the light. */
  const expose = (weight: number): void => {
    const { mask, shading, highlight } = seen;
    let cover = 0;
    if (mask > 0) {
      print.lookUp(seen.u, seen.v, outline, ink);
      cover = mask * ink[3];
    }
    const lit = cover === 0 ? 0 : mask * shading;
    const gloss = cover * highlight;
    light[0] += weight * (seen.red * (1 - cover) + ink[0] * lit + gloss);
    light[1] += weight * (seen.green * (1 - cover) + ink[1] * lit + gloss);
    light[2] += weight * (seen.blue * (1 - cover) + ink[2] * lit + gloss);
  };

  return (x: number, y: number): number => {
    light.fill(0);
    if (isEdge(frame, x, y)) {
      for (let k = 0; k < LOOKS.length; k++) {
        const point = LOOKS[k];
        scene.look((x + point.x) * scale, (y + point.y) * scale, seen);
        if (seen.mask > 0) frame.outlineNear(x, y, seen.piece, outline);
        expose(1 / LOOKS.length);
      }
    } else {
      frame.read(x, y, seen);
      if (seen.mask > 0) frame.outline(x, y, outline);
      expose(1);
    }
    const grain = 1 + GRAIN * (hash(x, y) - 0.5);
    return packLight(light[0] * grain, light[1] * grain, light[2] * grain);
  };
}
