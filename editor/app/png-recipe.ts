/** The recipe in a PNG that orbifold rendered, see `engine/render/recipe-text.ts`. */
import { checkRecipe, FIRST_DRAFT, type Recipe } from "./draft.ts";

/** Keyword of its text. */
const KEYWORD = "orbifold\0";
const TEXT = new TextDecoder("latin1");

/** Bytes of a PNG in which the recipe is, if it has one: it stands before the pixels. */
const HEAD = 2 ** 16;

/** What a PNG was made of. */
export interface PngRecipe {
  readonly recipe: Recipe;
  readonly mode: "tile" | "surface" | "aperiodic" | "frieze" | "rosette";
  /** Of the source's bytes. */
  readonly sha256: string;
}

/** Resolves with the recipe of a PNG; null for a file that has none, or one that the engine cannot use. */
export async function recipeOf(file: Blob): Promise<PngRecipe | null> {
  const text = recipeText(new Uint8Array(await file.slice(0, HEAD).arrayBuffer()));
  if (text === null) return null;
  try {
    const { group, motif, seam, effects, background, ...others } = JSON.parse(text);
    const {
      lattice,
      counterchange = null,
      mode,
      surface_effects,
      aperiodic,
      source_sha256: sha256,
    } = others;
    // Sheets that never repeat have neither group nor seam; friezes and rosettes have a seam alone.
    const ofGroup = { ...(group && { group, lattice, counterchange }), ...(seam && { seam }) };
    const recipe = await checkRecipe({
      // What a style means stands in the recipe in place of the style.
      design: { ...FIRST_DRAFT.design, motif, effects, background, ...ofGroup },
      surfaceEffects: surface_effects.length > 0 ? surface_effects : null,
      aperiodic: { ...FIRST_DRAFT.aperiodic, ...aperiodic },
    });
    return { recipe, mode, sha256 };
  } catch {
    return null;
  }
}

/** Returns the text of the recipe's chunk (W3C PNG 3rd edition, §5.3 and §11.3.3.2). */
function recipeText(bytes: Uint8Array<ArrayBuffer>): string | null {
  if (TEXT.decode(bytes.subarray(1, 4)) !== "PNG") return null;
  const view = new DataView(bytes.buffer);
  for (let at = 8; at + 8 <= bytes.length; at += view.getUint32(at) + 12) {
    const type = TEXT.decode(bytes.subarray(at + 4, at + 8));
    const content = TEXT.decode(bytes.subarray(at + 8, at + 8 + view.getUint32(at)));
    if (type === "tEXt" && content.startsWith(KEYWORD)) return content.slice(KEYWORD.length);
    if (type === "IDAT") return null;
  }
  return null;
}
