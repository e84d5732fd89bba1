/** Applies a pattern's own effects, before it is placed on a sheet. */
import {
  type PatternEffect,
  PICTURE_COLOURS,
  type PictureColour,
  type Torus,
  type TorusEffect,
} from "../../shaders/effects/effect.ts";
import { flatInks } from "../../shaders/effects/flat-inks.ts";
import type { Kernel } from "../../shaders/kernel.ts";
import { type Affine, scaling } from "../geometry/affine.ts";
import { principalColours } from "../image/principal-colours.ts";
import type { SampledImage, Samples } from "../image/samples.ts";
import type { KernelArgument } from "../kernel-inputs.ts";
import { type EffectStep, patternStepsOf } from "../recipe/check.ts";
import type { Design, SourceBytes } from "../recipe/index.ts";
import type { RenderContext } from "./context.ts";
import { coarseSource } from "./source-colours.ts";

/** A pointwise effect's kernel with its arguments after the colours. */
interface PointwiseStep {
  readonly kernel: Kernel;
  readonly args: readonly KernelArgument[];
}

interface TorusStep extends EffectStep<TorusEffect> {
  readonly colours: readonly PictureColour[];
}

/** Effect steps in order. Those before the first torus effect need only single pixels. */
export interface PatternChain {
  readonly pointwise: readonly PointwiseStep[];
  /** The remaining steps, which need a whole period. */
  readonly onPeriod: readonly (PointwiseStep | TorusStep)[];
  /** Whether colours are flat inks, between which there are none. */
  readonly isFlat: boolean;
}

/** Returns whether effects of a checked design need a whole period. */
export const needsPeriod = (design: Design): boolean =>
  patternStepsOf(design).some(({ effect }) => effect.kind === "torus");

/**
 * Resolves with the effect chain of a checked design. Rejects as `Codec.levels` does where an effect
 * reads the source's colours.
 */
export async function chainOf(
  context: RenderContext,
  design: Design,
  source: SourceBytes,
): Promise<PatternChain> {
  const uses = patternStepsOf(design);
  const steps: PatternChain["onPeriod"][number][] = [];
  for (const { effect, params } of uses) {
    const before = uses.slice(0, steps.length);
    const colours = effect.readsColours?.(params)
      ? await context.colours.of([source.sha256, before.map(recipeOf)], () =>
          coloursOf(context, source, steps),
        )
      : [];
    steps.push(
      effect.kind === "torus"
        ? { effect, params, colours }
        : { kernel: effect.kernel, args: effect.prepare(params, colours) },
    );
  }
  const first = steps.findIndex((step) => !hasKernel(step));
  const count = first < 0 ? steps.length : first;
  return {
    pointwise: steps.slice(0, count).filter(hasKernel),
    onPeriod: steps.slice(count),
    isFlat: isFlat(uses),
  };
}

/** Whether the last effect that mixes pixels or reduces colours leaves nothing but flat inks. */
function isFlat(uses: readonly EffectStep<PatternEffect>[]): boolean {
  const last = uses.findLast(({ effect }) => effect.kind === "torus" || effect === flatInks);
  return last?.effect === flatInks && last.params.strength === 1;
}

/**
 * Resolves with the main colours of a source after all effects of a checked design, which are the same at
 * any size of a sheet. Rejects as `chainOf` does.
 */
export async function coloursOfDesign(
  context: RenderContext,
  design: Design,
  source: SourceBytes,
): Promise<readonly PictureColour[]> {
  const { pointwise, onPeriod } = await chainOf(context, design, source);
  return context.colours.of([source.sha256, patternStepsOf(design).map(recipeOf)], () =>
    coloursOf(context, source, [...pointwise, ...onPeriod]),
  );
}

const recipeOf = ({ effect: { id }, params }: EffectStep<PatternEffect>) => [id, params];

/**
 * Resolves with the main colours of a source after effects: of all of it, as if it were the pattern's
 * cell, so that a motif keeps its colours while it is moved.
 */
async function coloursOf(
  context: RenderContext,
  source: SourceBytes,
  before: PatternChain["onPeriod"],
): Promise<readonly PictureColour[]> {
  const { picture } = await coarseSource(context, source);
  const { width, height } = picture;
  const period = rectangularPeriod(picture, scaling(1 / width, 1 / width), 1, height / width);
  const changed = await applyToPeriod(context, before, period);
  return principalColours(changed, PICTURE_COLOURS);
}

/**
 * Returns a picture as a period that repeats by translation alone.
 * @param across width in edges
 * @param down height in edges
 */
export function rectangularPeriod(
  picture: SampledImage,
  toPlane: Affine,
  across: number,
  down: number,
): Torus {
  const { width, height } = picture;
  return {
    ...picture,
    toPlane,
    lattice: [
      { x: across, y: 0 },
      { x: 0, y: down },
    ],
    discs: [{ x: width / 2, y: height / 2, radius: Math.min(width, height) / 2, mirrored: false }],
  };
}

/** Applies pointwise effects to any pixels. */
export async function applyPointwise(
  context: RenderContext,
  steps: readonly PointwiseStep[],
  { colour, alpha }: Samples,
): Promise<Samples> {
  if (steps.length === 0) return { colour, alpha };
  const { runner } = context;
  const out = new Float32Array(colour.length);
  const chunk = new Float32Array(runner.chunk);
  for (let first = 0; first < colour.length; first += runner.chunk) {
    const part = colour.subarray(first, first + runner.chunk);
    chunk.set(part);
    let pixels: Float32Array = chunk;
    for (const { kernel, args } of steps) {
      pixels = await runner.run(kernel, runner.chunk, [pixels, ...args]);
    }
    out.set(pixels.subarray(0, part.length), first);
    await context.checkpoint();
  }
  return { colour: out, alpha };
}

/** Applies effects to a period. */
export async function applyToPeriod(
  context: RenderContext,
  steps: PatternChain["onPeriod"],
  period: Torus,
): Promise<Samples> {
  const { checkpoint } = context;
  let pixels: Samples = period;
  for (const step of steps) {
    pixels = hasKernel(step)
      ? await applyPointwise(context, [step], pixels)
      : await step.effect.apply({ ...period, ...pixels }, step.params, {
          checkpoint,
          colours: step.colours,
        });
    await checkpoint();
  }
  return pixels;
}

const hasKernel = (step: PatternChain["onPeriod"][number]): step is PointwiseStep =>
  "kernel" in step;
