/** Shows the negative of a picture where its two-colour group exchanges the colours, with smooth edges between both. */
import { compose, translation } from "../geometry/affine.ts";
import { exchanges } from "../geometry/counterchange.ts";
import { type AffineFunction, type Domain, valueAt } from "../geometry/domain.ts";
import type { PixelOperation, Run, Tile } from "../geometry/grid.ts";
import { addToOrbits, copyToOrbits } from "../geometry/orbits.ts";
import { type Line, unfold } from "../geometry/unfold.ts";
import type { Samples } from "../image/samples.ts";
import { linesOf, pixelsOf } from "./lines.ts";

/** Least distance from an edge between a picture and its negative, in pixels: on it neither would be there. */
const LEAST = 1e-6;

/**
 * Returns for each pixel of lines how much it shows the negative rather than the picture: 1 in copies of the domain
 * with exchanged colours, −1 in others, and less than half a pixel from an edge between both the share of the pixel on
 * this side minus that on the other. The signs of a point and of its images have the same size.
 * @param pixel its side in cell edges; 0 for edges without colours in between
 */
export function signsAlong(domain: Domain, lines: readonly Line[], pixel: number): Float32Array {
  const signs = new Float32Array(pixelsOf(lines)).fill(-1);
  const { x, y } = domain.centre;
  const fromCentre = translation(x, y);
  const distances = pixel > 0 ? distancesIn(domain, pixel) : [];
  let offset = 0;
  for (const line of lines) {
    unfold(domain, line, (piece) => {
      const { first, count, stepX, stepY, element } = piece;
      const part = signs.subarray(offset + first, offset + first + count);
      if (exchanges(domain.isometries, compose(fromCentre, element))) part.fill(1);
      for (const distance of distances) {
        fadeTo(part, valueAt(distance, piece), distance.x * stepX + distance.y * stepY);
      }
    });
    offset += line.count;
  }
  return signs;
}

/** Returns the distances from the edges of a domain behind which the colours are exchanged, in pixels. */
function distancesIn(domain: Domain, pixel: number): AffineFunction[] {
  const { x, y } = domain.centre;
  const [fromCentre, toCentre] = [translation(x, y), translation(-x, -y)];
  return domain.edges
    .filter(({ element }) => exchanges(domain.isometries, compose(fromCentre, element, toCentre)))
    .map(({ excess }) => {
      // Not Math.hypot, whose last bit differs between browsers.
      const scale = 1 / (pixel * Math.sqrt(excess.x ** 2 + excess.y ** 2));
      return { x: scale * excess.x, y: scale * excess.y, k: scale * excess.k };
    });
}

/** Fades signs towards an edge that is `distance` pixels from the first of them, and `step` farther with each. */
function fadeTo(signs: Float32Array, distance: number, step: number): void {
  const last = signs.length - 1;
  if (Math.min(distance, distance + last * step) >= 0.5) return;
  for (let k = 0; k <= last; k++) {
    const share = 2 * (distance + k * step);
    if (share < 1) signs[k] *= Math.max(share, LEAST);
  }
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
  pixel: number,
): Float32Array {
  const signs = signsAlong(domain, linesOf(unit, tile.toPlane), pixel);
  const those = (exchanging: boolean) =>
    operations.filter((operation) => operation.exchanging === exchanging);
  const others = signs.map((sign) => -sign);
  const picture = copyToOrbits(others, unit, those(true), tile);
  if (picture === others) return signs;
  addToOrbits(signs, unit, those(false), tile, picture);
  return picture;
}

/**
 * Mixes the colours of samples with their negatives by their signs, in encoded values, so that mid-grey is its own
 * negative; returns the same samples.
 */
export function exchange(samples: Samples, signs: Float32Array): Samples {
  const { colour } = samples;
  for (let i = 0; i < colour.length; i++) {
    const sign = signs[i];
    if (sign === -1) continue;
    const packed = colour[i];
    const red = mixed(packed >> 16, sign);
    const green = mixed((packed >> 8) & 255, sign);
    const blue = mixed(packed & 255, sign);
    colour[i] = (red << 16) | (green << 8) | blue;
  }
  return samples;
}

/** Mixes a value with its negative; rounds such that the opposite sign returns the exact negative. */
function mixed(value: number, sign: number): number {
  const fromGrey = (255 - 2 * value) * sign;
  const odd = 2 * Math.floor(Math.abs(fromGrey) / 2) + 1;
  return (255 + (fromGrey < 0 ? -odd : odd)) / 2;
}
