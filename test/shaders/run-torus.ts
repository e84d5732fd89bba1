/** Runs torus effects as the engine does. */
import { Value } from "typebox/value";
import { principalColours } from "../../engine/image/principal-colours.ts";
import {
  PICTURE_COLOURS,
  type Pixels,
  type Torus,
  type TorusEffect,
} from "../../shaders/effects/effect.ts";
import { copyOf } from "./symmetric-torus.ts";

/** Applies an effect to a copy of a torus; omitted parameters have their defaults. */
export const applied = (
  effect: TorusEffect,
  torus: Torus,
  params: Readonly<Record<string, unknown>>,
): Promise<Pixels> =>
  effect.apply(
    copyOf(torus),
    { ...Value.Create(effect.params), ...params },
    {
      colours: principalColours(torus, PICTURE_COLOURS),
      checkpoint: async () => undefined,
    },
  );
