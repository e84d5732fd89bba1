/** Copies of a pattern in other palettes. */
import Type, { type Static } from "typebox";
import type { Account, Pattern, PatternFields } from "../../db/index.ts";
import { palettes as namedPalettes } from "../../engine/index.ts";
import { requireFound } from "./errors.ts";
import { strict } from "./fields.ts";
import { designFields, NAME_LENGTH, PaletteInput } from "./pattern-fields.ts";
import { getPattern, PATTERN_COST } from "./patterns.ts";
import type { Services } from "./services.ts";
import { readPalette } from "./source-fields.ts";

/** Most colourways that are made at once. */
const MAX_COLOURWAYS = 24;

export const NewColourways = Type.Object(
  {
    palettes: Type.Array(PaletteInput, {
      minItems: 1,
      maxItems: MAX_COLOURWAYS,
      description: "A palette for each colourway; null for the picture's own colours.",
    }),
  },
  strict,
);

/**
 * Creates a copy of a pattern in each of some palettes, all or none, named after pattern and palette.
 * Throws NotFound for the pattern, and as `readPalette` and `createPattern`.
 */
export async function createColourways(
  services: Services,
  account: Account,
  id: number,
  { palettes }: Static<typeof NewColourways>,
  signal: AbortSignal,
): Promise<readonly Pattern[]> {
  const { source_id, name, ...stored } = await getPattern(services, account.id, id);
  const rows: Omit<PatternFields, "source_id">[] = [];
  for (const palette of palettes) {
    const colours = await readPalette(services, account.id, palette, signal);
    const title = namedPalettes.find((row) => row.id === colours)?.title;
    const parts = [name, title].filter((part) => part !== null && part !== undefined);
    const named = parts.length > 0 ? parts.join(", ").slice(0, NAME_LENGTH) : null;
    rows.push({ ...designFields({ ...stored, source_id, name }), name: named, palette: colours });
  }
  const created = await services.db.patterns.createAll(account.id, source_id, rows, PATTERN_COST);
  return requireFound(created, `pattern ${id}`);
}
