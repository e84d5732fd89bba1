import Type, { type Static } from "typebox";
import type { Account, Pattern } from "../../db/index.ts";
import { checkDesign } from "../../engine/index.ts";
import { NotFound } from "./errors.ts";
import { patternFields, readGroup, seamWith } from "./pattern-input.ts";
import { strict } from "./resources/fields.ts";
import type { Services } from "./services.ts";

export const PATTERN_COST = 1;

export const NewPattern = Type.Object(patternFields, strict);

type Asked = Omit<Static<typeof NewPattern>, "source_id">;

/**
 * A pattern that is asked for, as it is stored. Throws InvalidInput for an unknown group, and
 * InvalidRecipe for a lattice that the group cannot have and for effects that there are not.
 */
export function readDesign<Input extends Asked>(input: Input) {
  const fields = {
    ...input,
    group: readGroup(input.group),
    seam: seamWith(input.style, input.seam),
    background: input.background?.toLowerCase() ?? null,
  };
  checkDesign(fields);
  return fields;
}

/**
 * Makes a pattern of one of the account's sources. Throws as `readDesign` does, NotFound for the
 * source, CreditsExhausted, QuotaExceeded.
 */
export async function createPattern(
  { db }: Services,
  account: Account,
  input: Static<typeof NewPattern>,
): Promise<Pattern> {
  const pattern = await db.patterns.create(account.id, readDesign(input), PATTERN_COST);
  if (!pattern) throw new NotFound(`source ${input.source_id}`);
  return pattern;
}
