/** A picture held against its image under maps of it. */
import type { Affine } from "../geometry/affine.ts";
import type { Swatch } from "./certificate.ts";
import { type LocalError, localError } from "./patches.ts";
import { type Agreement, agreement } from "./pixel-error.ts";
import type { Planes } from "./planes.ts";
import { LOCAL_SHARE, LOCAL_STEPS } from "./tolerance.ts";

/** A picture at hand: how it differs from its image under any map of fractions of it. */
export interface Compared {
  readonly planes: Planes;
  /** Root mean square of the pixels about their mean, in 8-bit steps. */
  readonly deviation: number;
  /** Local error up to which an operation holds, in 8-bit steps. */
  readonly localTolerance: number;
  /** Local error under a map; computed once for each. */
  local(map: Affine): LocalError;
  /** How well single pixels agree with a map; computed once for each. */
  agreement(map: Affine): Agreement;
}

/** The picture at hand; `deviation` in 8-bit steps. */
export function comparedWith(planes: Planes, swatch: Swatch, deviation: number): Compared {
  return {
    planes,
    deviation,
    localTolerance: Math.max(LOCAL_STEPS, LOCAL_SHARE * deviation),
    local: once((map) => localError(planes, map)),
    agreement: once((map) => agreement(swatch, map)),
  };
}

function once<Value>(compute: (map: Affine) => Value): (map: Affine) => Value {
  const known = new WeakMap<Affine, Value>();
  return (map) => {
    const value = known.get(map) ?? compute(map);
    known.set(map, value);
    return value;
  };
}
