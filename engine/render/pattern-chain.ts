/** A pattern's own effects: what is done to it before it is looked at in one way or another. */
import type {
  PatternEffect,
  PointwiseEffect,
  Torus,
  TorusEffect,
} from "../../shaders/effects/effect.ts";
import { type EffectStep, patternStepsOf } from "../check.ts";
import type { Design } from "../recipe.ts";
import type { RenderContext } from "./context.ts";
import type { Samples } from "./samples.ts";

/** Steps in order. Those before the first torus effect see single pixels of whatever is shown. */
export interface PatternChain {
  readonly pointwise: readonly EffectStep<PointwiseEffect>[];
  /** The rest needs a whole period. */
  readonly onPeriod: readonly EffectStep<PatternEffect>[];
}

/** A checked design's effects as a chain. */
export function chainOf(design: Design): PatternChain {
  const chosen: readonly EffectStep<PatternEffect>[] = patternStepsOf(design);
  const first = chosen.findIndex((step) => !isPointwise(step));
  const count = first < 0 ? chosen.length : first;
  return {
    pointwise: chosen.slice(0, count).filter(isPointwise),
    onPeriod: chosen.slice(count),
  };
}

/** Lays pointwise effects over any pixels. */
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

/** Lays any effects over a period. */
export async function applyToPeriod(
  context: RenderContext,
  steps: readonly EffectStep<PatternEffect>[],
  period: Torus,
): Promise<Samples> {
  const { runner, checkpoint } = context;
  const workshop = { chunk: runner.chunk, run: runner.run, checkpoint };
  let pixels: Samples = period;
  for (const step of steps) {
    pixels = isPointwise(step)
      ? await applyPointwise(context, [step], pixels)
      : await (step.effect as TorusEffect).apply({ ...period, ...pixels }, step.params, workshop);
    await checkpoint();
  }
  return pixels;
}

const isPointwise = (step: EffectStep<PatternEffect>): step is EffectStep<PointwiseEffect> =>
  step.effect.kind === "pointwise";
