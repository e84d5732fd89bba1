/** Shows the negative of a picture where its two-colour group exchanges the colours. */
import { compose, translation } from "../geometry/affine.ts";
import { exchanges } from "../geometry/counterchange.ts";
import type { Domain } from "../geometry/domain.ts";
import { copyToOrbits, type PixelOperation, type Run, type Tile } from "../geometry/grid.ts";
import { type Line, unfold } from "../geometry/unfold.ts";
import type { Samples } from "../image/samples.ts";
import { linesOf } from "./lines.ts";

/** A colour and its negative have this sum. */
const WHITE = 0xffffff;

/** Returns 1 for pixels of lines that lie in a copy of the domain with exchanged colours, else −1. */
export function signsAlong(domain: Domain, lines: readonly Line[]): Float32Array {
  const signs = new Float32Array(lines.reduce((sum, { count }) => sum + count, 0)).fill(-1);
  const { x, y } = domain.centre;
  const fromCentre = translation(x, y);
  let offset = 0;
  for (const line of lines) {
    unfold(domain, line, ({ first, count, element }) => {
      if (!exchanges(domain.isometries, compose(fromCentre, element))) return;
      signs.fill(1, offset + first, offset + first + count);
    });
    offset += line.count;
  }
  return signs;
}

/**
 * Returns the signs of all pixels of a tile, from those of its asymmetric unit. A pixel on a mirror that
 * exchanges the colours cannot have both: there the operations that keep them decide.
 */
export function signsOfTile(
  domain: Domain,
  unit: readonly Run[],
  operations: readonly PixelOperation[],
  tile: Tile,
): Float32Array {
  const signs = signsAlong(domain, linesOf(unit, tile.toPlane));
  const those = (exchanging: boolean) =>
    operations.filter((operation) => operation.exchanging === exchanging);
  const others = signs.map((sign) => -sign);
  const picture = copyToOrbits(others, unit, those(true), tile);
  return copyToOrbits(signs, unit, those(false), tile, picture);
}

/** Replaces the colours of samples whose sign is 1 by their negative; returns the same samples. */
export function exchange(samples: Samples, signs: Float32Array): Samples {
  const { colour } = samples;
  for (let i = 0; i < colour.length; i++) {
    if (signs[i] > 0) colour[i] = WHITE - colour[i];
  }
  return samples;
}
