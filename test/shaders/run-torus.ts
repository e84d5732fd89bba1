/** Runs torus effects as the engine does. */
import { Value } from "typebox/value";
import type { Pixels, Torus, TorusEffect } from "../../shaders/effects/effect.ts";
import { copyOf } from "./symmetric-torus.ts";

/** What an effect makes of a copy of a torus; parameters that are left out take their defaults. */
export const applied = (
  effect: TorusEffect,
  torus: Torus,
  params: Readonly<Record<string, unknown>>,
): Promise<Pixels> =>
  effect.apply(
    copyOf(torus),
    { ...Value.Create(effect.params), ...params },
    {
      chunk: 1 << 14,
      run: () => {
        throw new Error("these effects are plain JavaScript");
      },
      checkpoint: async () => undefined,
    },
  );
