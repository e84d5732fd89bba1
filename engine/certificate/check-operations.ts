/** The operations of a claimed group, each held against the picture's pixels. */
import type { Affine } from "../geometry/affine.ts";
import type { CheckedOperation, Swatch } from "./certificate.ts";
import type { Fit } from "./fit.ts";
import type { Surveyed } from "./ground.ts";
import { describe, inFractions } from "./in-words.ts";
import { isOfGroup, isSmall, outcomeOf } from "./outcome.ts";
import { pixelError } from "./pixel-error.ts";
import { translationError } from "./translations.ts";

/** One operation that is to be checked; `relativeError` as in a fit. */
interface Wanted {
  readonly position: string;
  readonly map: Affine;
  readonly relativeError: number;
}

/**
 * Checks each operation of a fitted group, the translations first: those that are shorter than
 * the picture, which repeats anyway. Those of the picture's own group, `found`, hold.
 * @param swatch premultiplied, as `visible` gives it
 */
export async function checkOperations(
  ground: Surveyed,
  swatch: Swatch,
  fit: Fit,
  found: Fit | null,
  checkpoint: () => Promise<void>,
): Promise<CheckedOperation[]> {
  const { group } = fit;
  const small = isSmall(fit, ground.size);
  const checked: CheckedOperation[] = [];
  for (const wanted of [...translations(ground, fit), ...fit.operations]) {
    await checkpoint();
    const { position, map, relativeError } = wanted;
    const { max, rms, exact } = pixelError(swatch, map, ground.agreement(map));
    const local = ground.local(map);
    const isTranslation = !fit.operations.includes(wanted);
    const isFound = found !== null && isOfGroup(ground, found, map);
    checked.push({
      operation: position,
      ...(isTranslation
        ? { kind: "translation" as const, words: inFractions(position) }
        : describe(position, group, map, ground.size)),
      generator: isTranslation || group.generators.includes(position),
      holds: isFound || HOLDS_AS[outcomeOf(ground, map, relativeError, small)],
      relative_error: relativeError,
      rms_error: rms,
      max_error: max,
      local_error: local.error,
      worst_at: local.at,
      exact,
    });
  }
  return checked;
}

const HOLDS_AS = { holds: true, doubtful: null, fails: false } as const;

function translations({ coarse }: Surveyed, { cell: { a, b }, group }: Fit): Wanted[] {
  const steps = [
    { position: "x+1,y", x: a.x, y: a.y },
    { position: "x,y+1", x: b.x, y: b.y },
  ];
  if (group.centred) {
    steps.push({ position: "x+1/2,y+1/2", x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  }
  return steps
    .filter(({ x, y }) => !(isWhole(x) && isWhole(y)))
    .map(({ position, x, y }) => ({
      position,
      map: { a: 1, b: 0, c: 0, d: 1, e: x, f: y },
      relativeError: translationError(coarse, { x, y }),
    }));
}

const isWhole = (value: number) => Math.abs(value - Math.round(value)) < 1e-9;
