/** Supersampling of sheets whose effects have details finer than their pixels. */

import type { PatternEffect, SurfaceEffect } from "../../shaders/catalog.ts";
import { linearChannel, packLight } from "../image/packed.ts";
import type { SampledImage, Samples } from "../image/samples.ts";
import {
  type EffectStep,
  effectSheet,
  friezeRepeat,
  patternStepsOf,
  reachOf,
  rosetteDiameter,
  sheetSize,
  surfaceStepsOf,
} from "../recipe/check.ts";
import { type Design, LIMITS, type RenderFields } from "../recipe/index.ts";
import { scaledRender } from "../recipe/scaled-render.ts";
import { pixelsPerMillimetre } from "../size.ts";
import { cellEdge } from "./surface.ts";

/** Most finer pixels along the side of a pixel. */
const MAX_SUPERSAMPLING = 4;

/** Most finer pixels of a sheet; larger sheets are computed in their own. Other limits hold in finer pixels too. */
const MOST_PIXELS = 4096 * 4096;

/**
 * Returns how many finer pixels fit along a pixel's side, 1…4, so that the finest detail of the effects
 * has a pixel. The sheet is computed in them and downsampled: a small proof looks like its print.
 */
export function supersamplingOf(design: Design, fields: RenderFields): number {
  if (fields.mode === "tile") return 1;
  const { width, height } = sheetSize(fields);
  const effects = surfaceStepsOf(design, fields);
  const finest = Math.min(
    ...effects.map((step) => detailOf(step) * pixelsPerMillimetre(fields.dpi)),
    ...(fields.mode === "aperiodic"
      ? []
      : patternStepsOf(design).map((step) => detailOf(step) * edgeOf(design, fields))),
  );
  const sheet = effectSheet({ width, height }, fields.dpi);
  const reach = effects.reduce((sum, step) => sum + reachOf(step, sheet), 0);
  const wanted = Math.ceil(1 / finest - 1e-6);
  const affordable = Math.min(
    Math.sqrt(MOST_PIXELS / (width * height)),
    LIMITS.surface.maximum / Math.max(width, height),
    LIMITS.surfaceReach / Math.max(reach, 1),
  );
  return Math.max(1, Math.min(wanted, Math.floor(affordable), MAX_SUPERSAMPLING));
}

function edgeOf(design: Design, fields: RenderFields): number {
  if (fields.mode === "frieze") return friezeRepeat(fields).height;
  return fields.mode === "rosette" ? rosetteDiameter(fields) : cellEdge(design, fields);
}

/** Returns whether an effect has details finer than the pixels of a sheet. */
export const isTooFine = (step: EffectStep<SurfaceEffect>, dpi: number) =>
  detailOf(step) * pixelsPerMillimetre(dpi) < 1;

/** Returns whether effects have details that are lost although the sheet is computed in finer pixels. */
export const losesDetail = (design: Design, fields: RenderFields) =>
  surfaceStepsOf(design, fields).some((step) =>
    isTooFine(step, fields.dpi * supersamplingOf(design, fields)),
  );

const detailOf = ({ effect, params }: EffectStep<PatternEffect | SurfaceEffect>) =>
  params.strength === 0 ? Infinity : (effect.detail?.(params) ?? Infinity);

/** Returns the fields of the same sheet in finer pixels. */
export const supersampled = (fields: RenderFields, factor: number): RenderFields =>
  factor === 1 ? fields : scaledRender(fields, factor).fields;

/**
 * Returns rows of a sheet whose pixels are the means of `factor` × `factor` finer ones, in linear light,
 * weighted by alpha.
 */
export function downsampled(
  { colour, alpha, width: finerWidth }: SampledImage,
  factor: number,
): Samples {
  const width = finerWidth / factor;
  const pixels = colour.length / factor ** 2;
  const means = { colour: new Float32Array(pixels), alpha: alpha && new Float32Array(pixels) };
  for (let pixel = 0; pixel < pixels; pixel++) {
    const first = Math.floor(pixel / width) * factor * finerWidth + (pixel % width) * factor;
    let red = 0;
    let green = 0;
    let blue = 0;
    let share = 0;
    for (let row = 0; row < factor; row++) {
      for (let column = 0; column < factor; column++) {
        const at = first + row * finerWidth + column;
        const weight = alpha === null ? 1 : alpha[at];
        red += weight * linearChannel(colour[at], 16);
        green += weight * linearChannel(colour[at], 8);
        blue += weight * linearChannel(colour[at], 0);
        share += weight;
      }
    }
    const whole = share === 0 ? 1 : share;
    means.colour[pixel] = packLight(red / whole, green / whole, blue / whole);
    if (means.alpha) means.alpha[pixel] = Math.round(share / factor ** 2);
  }
  return means;
}
