/** Periods of patterns that are symmetric to the bit, for torus effects. */
import { compose, invert, rotation, scaling, translation } from "../../engine/geometry/affine.ts";
import { discsOf } from "../../engine/geometry/discs.ts";
import { domainOf } from "../../engine/geometry/domain.ts";
import { gridOperations, type PixelOperation, type Tile } from "../../engine/geometry/grid.ts";
import { type Isometries, isometriesOf } from "../../engine/geometry/isometries.ts";
import { squareTile } from "../../engine/geometry/repeating-tile.ts";
import type { GroupName, Lattice } from "../../engine/recipe/index.ts";
import type { Pixels, Torus } from "../../shaders/effects/effect.ts";
import { hash, photograph } from "../helpers/pictures.ts";
import { channels, pack } from "./pixels.ts";

const SQUARE: Lattice = { ratio: 1, repeat: "straight" };

export interface SymmetricTorus {
  readonly torus: Torus;
  readonly isometries: Isometries;
  readonly operations: readonly PixelOperation[];
}

interface TileOptions {
  readonly lattice?: Lattice;
  readonly hexCells?: "2x1" | "7x4";
  readonly transparent?: boolean;
}

/** The square tile of a group, filled with a photograph's pixels and their images. */
export function symmetricTile(
  group: GroupName,
  size: number,
  { lattice = SQUARE, hexCells = "7x4", transparent = false }: TileOptions = {},
): SymmetricTorus {
  const isometries = isometriesOf(group, lattice);
  return filled(isometries, squareTile(isometries, size, hexCells).tile, transparent);
}

/** One period of a group on a sheet that is turned by a right angle and shifted. */
export function turnedPeriod(group: GroupName, lattice: Lattice, edge: number): SymmetricTorus {
  const isometries = isometriesOf(group, lattice);
  const { period } = isometries;
  const toSheet = compose(translation(7, -12), rotation(90), scaling(edge, edge));
  return filled(
    isometries,
    {
      width: Math.round(period.height * edge),
      height: Math.round(period.width * edge),
      region: period,
      toPlane: invert(toSheet),
    },
    false,
  );
}

function filled(isometries: Isometries, tile: Tile, transparent: boolean): SymmetricTorus {
  const operations = gridOperations(isometries, tile);
  const { width, height } = tile;
  const { pixels } = photograph(width, height);
  const firsts = Int32Array.from({ length: width * height }, (_, at) =>
    Math.min(...operations.map((operation) => imageOf(at, operation, tile))),
  );
  const spread = (value: (pixel: number) => number) => Float32Array.from(firsts, value);
  const torus: Torus = {
    width,
    height,
    toPlane: tile.toPlane,
    lattice: isometries.basis,
    discs: discsOf(domainOf(isometries), tile),
    colour: spread((at) => pack(pixels[3 * at], pixels[3 * at + 1], pixels[3 * at + 2])),
    alpha: transparent
      ? spread((at) => alphaAt((at % width) / width, Math.floor(at / width) / height, at))
      : null,
  };
  return { torus, isometries, operations };
}

/** Holes, opaque places and everything between. */
function alphaAt(x: number, y: number, at: number): number {
  const wave = Math.sin(9 * x + 4 * y) + Math.sin(7 * y - 5 * x);
  return Math.round(Math.min(Math.max(140 + 200 * wave + 20 * hash(at, 3), 0), 255));
}

/** A copy that an effect may write into. */
export const copyOf = (torus: Torus): Torus => ({
  ...torus,
  colour: torus.colour.slice(),
  alpha: torus.alpha?.slice() ?? null,
});

/** The torus shifted to the right and down by whole pixels, in the same plane. */
export function shifted(torus: Torus, right: number, down: number): Torus {
  const { width, height } = torus;
  const move = (plane: Float32Array) =>
    plane.map((_, at) => {
      const x = ((((at % width) - right) % width) + width) % width;
      const y = (((Math.floor(at / width) - down) % height) + height) % height;
      return plane[y * width + x];
    });
  return { ...torus, colour: move(torus.colour), alpha: torus.alpha && move(torus.alpha) };
}

/** The largest difference of a channel or of alpha between pixels that operations map on each other. */
export function asymmetry(
  { colour, alpha }: Pixels,
  size: Pick<Torus, "width" | "height">,
  operations: readonly PixelOperation[],
): number {
  let largest = 0;
  for (const operation of operations) {
    for (let at = 0; at < colour.length; at++) {
      const image = imageOf(at, operation, size);
      if (alpha !== null) largest = Math.max(largest, Math.abs(alpha[at] - alpha[image]));
      if (colour[at] === colour[image]) continue;
      const [red, green, blue] = channels(colour[at]);
      const [r, g, b] = channels(colour[image]);
      largest = Math.max(largest, Math.abs(red - r), Math.abs(green - g), Math.abs(blue - b));
    }
  }
  return largest;
}

/** The number of the pixel that an operation maps a pixel to. */
function imageOf(
  at: number,
  { a, b, c, d, e, f }: PixelOperation,
  { width, height }: Pick<Torus, "width" | "height">,
): number {
  const x = at % width;
  const y = (at - x) / width;
  const column = (((a * x + b * y + e) % width) + width) % width;
  const row = (((c * x + d * y + f) % height) + height) % height;
  return row * width + column;
}
