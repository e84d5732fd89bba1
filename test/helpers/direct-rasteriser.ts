/**
 * Rasterises a scene without a map: each sample is computed on demand, and the print is sampled in
 * 64-bit floats. The reference for maps and the kernel.
 */
import { packLight } from "../../engine/image/packed.ts";
import { isEdge } from "../../engine/mockups/edges.ts";
import { createFrame } from "../../engine/mockups/frame.ts";
import type { Outline } from "../../engine/mockups/outline.ts";
import type { Print } from "../../engine/mockups/print.ts";
import { emptyFragment } from "../../scenes/fragment.ts";
import { hash } from "../../scenes/noise.ts";
import { MOCKUP_SIZE, type Scene } from "../../scenes/scene.ts";

const LOOKS = Array.from({ length: 8 }, (_, k) => ({
  x: (k + 0.5) / 8,
  y: (((k * 3) % 8) + 0.5) / 8,
}));

const GRAIN = 0.008;

/** Rasterises a scene: RGB of 8 bits a pixel. */
export function rasteriseDirectly(scene: Scene, print: Print, size: number): Uint8Array {
  const pixels = new Uint8Array(3 * size * size);
  const scale = MOCKUP_SIZE / size;
  const frame = createFrame(scene, size, size);
  frame.sample(0, size);
  const outline: Outline = { ux: 0, uy: 0, vx: 0, vy: 0 };
  const seen = emptyFragment();
  const light = [0, 0, 0];
  const expose = (weight: number) => {
    const { mask, shading, highlight } = seen;
    const ink = mask > 0 ? lookUp(print, seen.u, seen.v, outline) : [0, 0, 0, 0];
    const cover = mask * ink[3];
    [seen.red, seen.green, seen.blue].forEach((bare, k) => {
      light[k] += weight * (bare * (1 - cover) + ink[k] * mask * shading + cover * highlight);
    });
  };
  for (let y = 0, at = 0; y < size; y++) {
    for (let x = 0; x < size; x++, at += 3) {
      light.fill(0);
      if (isEdge(frame, x, y)) {
        for (const point of LOOKS) {
          scene.sample((x + point.x) * scale, (y + point.y) * scale, seen);
          if (seen.mask > 0) frame.outlineNear(x, y, seen.piece, outline);
          expose(1 / LOOKS.length);
        }
      } else {
        frame.read(x, y, seen);
        if (seen.mask > 0) frame.outline(x, y, outline);
        expose(1);
      }
      const grain = 1 + GRAIN * (hash(x, y) - 0.5);
      const packed = packLight(light[0] * grain, light[1] * grain, light[2] * grain);
      pixels.set([packed >> 16, (packed >> 8) & 255, packed & 255], at);
    }
  }
  return pixels;
}

/** Red, green, blue (premultiplied) and alpha of the print under the outline. */
function lookUp(print: Print, u: number, v: number, outline: Outline): number[] {
  const [{ width, height }] = print.sizes;
  const last = print.sizes.length - 1;
  const acrossMm = width / print.width;
  const downMm = height / print.height;
  const [ux, uy] = [outline.ux * acrossMm, outline.uy * acrossMm];
  const [vx, vy] = [outline.vx * downMm, outline.vy * downMm];
  const a = ux * ux + uy * uy;
  const b = ux * vx + uy * vy;
  const c = vx * vx + vy * vy;
  const spread = Math.sqrt(0.25 * (a - c) * (a - c) + b * b);
  const middle = 0.5 * (a + c);
  const long = Math.sqrt(middle + spread);
  const short = Math.max(Math.sqrt(Math.max(middle - spread, 0)), long / 16, 1e-6);
  const probes = Math.min(16, Math.max(1, Math.ceil(long / short - 0.2)));
  const fine = Math.log2(Math.max(short, (0.9 * long) / probes)) - 0.35;
  const detail = Math.min(Math.max(fine, 0), last);
  const [alongU, alongV] = a < c ? [b, middle + spread - a] : [middle + spread - c, b];
  const length = Math.hypot(alongU, alongV);
  const step = probes === 1 || length === 0 ? 0 : long / probes / length;
  const level = Math.min(Math.floor(detail), last);
  // The largest size alone serves footprints of up to 2^0.15 texels.
  const far = level === 0 ? Math.max(detail - 0.15, 0) / 0.85 : detail - level;
  const ink = [0, 0, 0, 0];
  for (let probe = 0; probe < probes; probe++) {
    const away = (probe - 0.5 * (probes - 1)) * step;
    const s = (u * acrossMm + alongU * away) / width;
    const t = (v * downMm + alongV * away) / height;
    addTexels(print, level, s, t, (1 - far) / probes, ink);
    if (far > 0) addTexels(print, level + 1, s, t, far / probes, ink);
  }
  return ink;
}

function addTexels(
  { texels, alphas, sizes, repeats }: Print,
  level: number,
  s: number,
  t: number,
  weight: number,
  ink: number[],
): void {
  const { first, width, height } = sizes[level];
  const x = (repeats ? s - Math.floor(s) : Math.min(Math.max(s, 0), 1)) * width + 0.5;
  const y = (repeats ? t - Math.floor(t) : Math.min(Math.max(t, 0), 1)) * height + 0.5;
  for (const [row, down] of [
    [Math.floor(y), 1 - (y - Math.floor(y))],
    [Math.floor(y) + 1, y - Math.floor(y)],
  ]) {
    for (const [column, across] of [
      [Math.floor(x), 1 - (x - Math.floor(x))],
      [Math.floor(x) + 1, x - Math.floor(x)],
    ]) {
      const texel = first + row * (width + 2) + column;
      const share = weight * down * across;
      for (let k = 0; k < 3; k++) {
        const root = ((texels[texel] >> (16 - 8 * k)) & 255) / 255;
        ink[k] += share * root * root;
      }
      ink[3] += share * (alphas === null ? 1 : alphas[texel]);
    }
  }
}
