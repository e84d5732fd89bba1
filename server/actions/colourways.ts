/** Copies of a pattern in other palettes. */
import Type, { type Static } from "typebox";
import {
  type Account,
  CreditsExhausted,
  type Pattern,
  type PatternFields,
} from "../../db/index.ts";
import { palettes as namedPalettes, type PatternPalette } from "../../engine/index.ts";
import { requireFound } from "./errors.ts";
import { strict } from "./fields.ts";
import { readPalette } from "./fields-from-source.ts";
import { measure } from "./measurements.ts";
import { designFields, NAME_LENGTH, PaletteInput } from "./pattern-fields.ts";
import { getPattern, PATTERN_COST } from "./patterns.ts";
import type { Services } from "./services.ts";

/** Most colourways that are made at once. */
const MAX_COLOURWAYS = 24;

export const NewColourways = Type.Object(
  {
    palettes: Type.Array(PaletteInput, {
      minItems: 1,
      maxItems: MAX_COLOURWAYS,
      description:
        "A palette for each colourway; null for those of the style, or else the picture's own.",
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
  const cost = palettes.length * PATTERN_COST;
  // The database decides; this only avoids useless work.
  if (account.credits < cost) throw new CreditsExhausted(cost);
  const known = new Map<string, Promise<Static<typeof PatternPalette>>>();
  const rows: Omit<PatternFields, "source_id">[] = [];
  for (const [n, palette] of palettes.entries()) {
    const key = JSON.stringify(palette);
    const reading =
      known.get(key) ?? readPalette(services, account.id, palette, signal, `/palettes/${n}`);
    known.set(key, reading);
    const colours = await reading;
    const fields = designFields({ ...stored, source_id, name });
    rows.push({ ...fields, name: nameOf(name, colours), palette: colours });
  }
  const created = await services.db.patterns.createAll(account.id, source_id, rows, PATTERN_COST);
  const patterns = requireFound(created, `pattern ${id}`);
  measure("credits", { reason: "pattern", amount: cost });
  return patterns;
}

/** Returns the name of a pattern followed by its palette's, shortened before the palette's. */
function nameOf(name: string | null, palette: Static<typeof PatternPalette>): string | null {
  const title = namedPalettes.find(({ id }) => id === palette)?.title;
  if (title === undefined) return name;
  if (name === null) return title;
  const room = NAME_LENGTH - title.length - 2;
  return `${[...name].slice(0, room).join("")}, ${title}`;
}
