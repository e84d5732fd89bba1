/** The flat colours of a pattern. */

import { cielabOf } from "../../shaders/lib/cielab.ts";
import { linearFromHex } from "../../shaders/lib/colour.ts";
import { compositeBackground } from "../image/samples.ts";
import type { Ink, InkRequest } from "../recipe/index.ts";
import type { RenderContext } from "./context.ts";
import { renderTile } from "./tile.ts";

/** Longer side of the repeat that is looked at, in pixels. */
const SIZE = 512;

/** Most inks of a pattern. */
const MAX_INKS = 16;

/**
 * Resolves with the colours of a pattern's repeat, the one with the largest share first; null if there are more
 * than 16. Transparent places have none. Rejects as `Codec.levels` does.
 */
export async function inksOf(
  context: RenderContext,
  { design, source }: InkRequest,
): Promise<readonly Ink[] | null> {
  const fields = { size: SIZE, tile: "cell", hex_cells: "7x4" } as const;
  const tile = await renderTile(context, design, source, fields);
  const { colour, alpha } = compositeBackground(tile, design.background);
  const counts = new Map<number, number>();
  let visible = 0;
  for (let at = 0; at < colour.length; at++) {
    if (alpha !== null && alpha[at] === 0) continue;
    visible++;
    counts.set(colour[at], (counts.get(colour[at]) ?? 0) + 1);
    if (counts.size > MAX_INKS) return null;
  }
  return [...counts]
    .map(([packed, count]) => {
      const colour = `#${packed.toString(16).padStart(6, "0")}`;
      return { colour, lab: cielabOf(linearFromHex(colour)), share: count / visible };
    })
    .sort((one, other) => other.share - one.share || (one.colour < other.colour ? -1 : 1));
}
