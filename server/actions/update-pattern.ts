import Type, { type Static, type TObject, type TSchemaOptions } from "typebox";
import { Conflict, type Pattern, type PatternFields } from "../../db/index.ts";
import { checkDesign } from "../../engine/index.ts";
import { ChangedMeanwhile, NotFound } from "./errors.ts";
import { getPattern } from "./get-pattern.ts";
import { getSource } from "./get-source.ts";
import { patternFields, readGroup, seamWith } from "./pattern-input.ts";
import { strict } from "./resources/fields.ts";
import { designOf } from "./resources/pattern.ts";
import type { Services } from "./services.ts";

/** Any of the parts of a field, which keeps its description. */
const partsOf = <Whole extends TObject>(whole: Whole) => {
  const { description = "" } = whole as Whole & TSchemaOptions;
  return Type.Partial(whole, { ...strict, description });
};

export const PatternChanges = Type.Partial(
  Type.Object({
    ...patternFields,
    motif: partsOf(patternFields.motif),
    lattice: partsOf(patternFields.lattice),
    seam: partsOf(patternFields.seam),
  }),
  {
    ...strict,
    examples: [{ name: "Summer tiles", motif: { rotation: 45 } }],
    description: "What is left out, also of motif, lattice and seam, stays as it is.",
  },
);

/** How often a change is tried again when another one comes in between. */
const ATTEMPTS = 5;

/**
 * Changes what is given of a pattern. `wants` says which stored version the caller accepts.
 * Throws InvalidInput, InvalidRecipe, NotFound for the pattern or the new source, ChangedMeanwhile when
 * `wants` refuses, Conflict when other changes keep coming in between.
 */
export async function updatePattern(
  services: Services,
  accountId: number,
  id: number,
  input: Static<typeof PatternChanges>,
  wants: (stored: Pattern) => boolean,
): Promise<Pattern> {
  const given = {
    ...input,
    ...(input.group !== undefined && { group: readGroup(input.group) }),
    ...(input.background && { background: input.background.toLowerCase() }),
  };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const stored = await getPattern(services, accountId, id);
    if (input.source_id !== undefined) await getSource(services, accountId, input.source_id);
    if (!wants(stored)) throw new ChangedMeanwhile(`pattern ${id}`);
    if (Object.keys(given).length === 0) return stored;
    const changes = mergeParts(stored, given);
    checkDesign(designOf({ ...stored, ...changes }));
    const changed = await services.db.patterns.update(accountId, id, changes, stored.version);
    if (changed === null) throw new NotFound(`pattern ${id}`);
    if (changed !== "stale") return changed;
  }
  throw new Conflict(`pattern ${id} is being changed by others all the time`);
}

/** The given fields, with the parts of motif, lattice and seam that are not given as stored. */
function mergeParts(stored: Pattern, given: Static<typeof PatternChanges>): Partial<PatternFields> {
  const { motif, lattice, seam, style, ...whole } = given;
  return {
    ...whole,
    ...(motif && { motif: { ...(stored.motif as object), ...motif } }),
    ...(lattice && { lattice: { ...(stored.lattice as object), ...lattice } }),
    ...(style !== undefined && { style }),
    // A style that is chosen brings its seam along.
    ...(style && { seam: seamWith(style, seam ?? {}) }),
    ...(!style && seam && { seam: { ...(stored.seam as object), ...seam } }),
  };
}
