/** The inks of a pattern: the colours that occur in its tile. */
import { flatInks } from "../../shaders/effects/flat-inks.ts";
import { automaticName, isAutomaticName } from "../../shaders/effects/lib/ink-names.ts";
import type { NamedInk } from "../../shaders/effects/lib/named-inks.ts";
import { cielabOf } from "../../shaders/lib/cielab.ts";
import { linearFromHex } from "../../shaders/lib/colour.ts";
import { hexOf, packedFromHex } from "../image/packed.ts";
import type { Samples } from "../image/samples.ts";
import { patternStepsOf } from "../recipe/check.ts";
import type { Design, Ink, InkRequest } from "../recipe/index.ts";
import type { RenderContext } from "./context.ts";
import { renderTile } from "./tile.ts";

/** Most inks of a pattern. */
const MAX_INKS = 16;

/** Alpha from which a pixel is printed in its own colour: inks do not mix with what is below. */
const OPAQUE = 128;

/**
 * Returns a function that returns the packed colour that a pixel is printed in: its own, or the background's
 * where it is more than half transparent; null where nothing is printed.
 */
export function printedColourReader(background: string | null) {
  const below = background === null ? null : packedFromHex(background);
  return ({ colour, alpha }: Samples, at: number): number | null =>
    alpha === null || alpha[at] >= OPAQUE ? colour[at] : below;
}

/**
 * Returns the names that a checked design gives to colours, by `#rrggbb`: those of its last inks, of which no two are
 * the same. One that is like an automatic name is none, as another ink's may be the same.
 */
export function inkNamesOf(
  design: Pick<Design, "style" | "effects" | "palette">,
): ReadonlyMap<string, string> {
  const last = patternStepsOf(design).findLast(({ effect }) => effect === flatInks);
  const named = (last?.params.inks as readonly NamedInk[] | undefined) ?? [];
  return new Map(
    named
      .filter(({ name }) => !isAutomaticName(name))
      .map(({ name, colour }) => [colour.toLowerCase(), name]),
  );
}

/**
 * Resolves with the colours of a design's tile, the one with the largest share first; null if there are more than
 * 16. Rejects as `Codec.levels` does.
 */
export async function inksOf(
  context: RenderContext,
  { design, source, fields }: InkRequest,
): Promise<readonly Ink[] | null> {
  return inksIn(await renderTile(context, design, source, fields, { isFlat: true }), design);
}

/** Returns the colours of a tile of a design as `inksOf` does. */
export function inksIn(tile: Samples, design: Design): readonly Ink[] | null {
  const inkAt = printedColourReader(design.background);
  const names = inkNamesOf(design);
  const counts = new Map<number, number>();
  let printed = 0;
  for (let at = 0; at < tile.colour.length; at++) {
    const ink = inkAt(tile, at);
    if (ink === null) continue;
    printed++;
    counts.set(ink, (counts.get(ink) ?? 0) + 1);
    if (counts.size > MAX_INKS) return null;
  }
  return [...counts]
    .map(([packed, count]) => {
      const colour = hexOf(packed);
      return { colour, lab: cielabOf(linearFromHex(colour)), share: count / printed };
    })
    .sort((one, other) => other.share - one.share || (one.colour < other.colour ? -1 : 1))
    .map((ink, n) => ({ name: names.get(ink.colour) ?? automaticName(n + 1, ink.colour), ...ink }));
}
