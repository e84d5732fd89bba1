/** Applies a pattern's own effects, before it is placed on a sheet. */
import type { PatternEffect, PointwiseEffect, Torus } from "../../shaders/effects/effect.ts";
import type { Samples } from "../image/samples.ts";
import { type EffectStep, patternStepsOf } from "../recipe/check.ts";
import type { Design } from "../recipe/index.ts";
import type { RenderContext } from "./context.ts";

/** Effect steps in order. Those before the first torus effect need only single pixels. */
export interface PatternChain {
  readonly pointwise: readonly EffectStep<PointwiseEffect>[];
  /** The remaining steps, which need a whole period. */
  readonly onPeriod: readonly EffectStep<PatternEffect>[];
}

/** Returns the effect chain of a checked design. */
export function chainOf(design: Design): PatternChain {
  const steps: readonly EffectStep<PatternEffect>[] = patternStepsOf(design);
  const first = steps.findIndex((step) => !isPointwise(step));
  const count = first < 0 ? steps.length : first;
  return {
    pointwise: steps.slice(0, count).filter(isPointwise),
    onPeriod: steps.slice(count),
  };
}

/** Applies pointwise effects to any pixels. */
export async function applyPointwise(
  context: RenderContext,
  steps: readonly EffectStep<PointwiseEffect>[],
  { colour, alpha }: Samples,
): Promise<Samples> {
  if (steps.length === 0) return { colour, alpha };
  const { runner } = context;
  const prepared = steps.map(({ effect, params }) => ({
    kernel: effect.kernel,
    args: effect.prepare(params),
  }));
  const out = new Float32Array(colour.length);
  const chunk = new Float32Array(runner.chunk);
  for (let first = 0; first < colour.length; first += runner.chunk) {
    const part = colour.subarray(first, first + runner.chunk);
    chunk.set(part);
    let pixels: Float32Array = chunk;
    for (const { kernel, args } of prepared) {
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
  steps: readonly EffectStep<PatternEffect>[],
  period: Torus,
): Promise<Samples> {
  const { runner, checkpoint } = context;
  const tools = { chunk: runner.chunk, run: runner.run, checkpoint };
  let pixels: Samples = period;
  for (const { effect, params } of steps) {
    pixels =
      effect.kind === "pointwise"
        ? await applyPointwise(context, [{ effect, params }], pixels)
        : await effect.apply({ ...period, ...pixels }, params, tools);
    await checkpoint();
  }
  return pixels;
}

const isPointwise = (step: EffectStep<PatternEffect>): step is EffectStep<PointwiseEffect> =>
  step.effect.kind === "pointwise";
