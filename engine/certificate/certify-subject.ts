/** Certificates of symmetry for patterns, which are rendered for it, and for any picture. */

import { isometriesOfDesign } from "../geometry/counterchange.ts";
import { asymmetricUnit, gridOperations, imageOf, type Tile } from "../geometry/grid.ts";
import type { Isometries } from "../geometry/isometries.ts";
import { tileOf } from "../geometry/repeating-tile.ts";
import type { ByteImage, PackedImage } from "../image/picture.ts";
import { bytesOf, compositeBackground, type Samples } from "../image/samples.ts";
import { octaveWithin, type SourceLevels } from "../image/source-levels.ts";
import { patternStepsOf } from "../recipe/check.ts";
import {
  type Checked,
  type Design,
  type GroupName,
  keptGroup,
  type SourceBytes,
  type ValidateFields,
} from "../recipe/index.ts";
import type { RenderContext } from "../render/context.ts";
import { renderTile } from "../render/tile.ts";
import type { Certificate } from "./certificate.ts";
import { certify } from "./certify.ts";
import { luminanceDeviation } from "./image-statistics.ts";

/** What is certified: a design's tile, or a picture that is claimed to have a group's symmetry. */
export type Subject =
  | {
      readonly kind: "design";
      readonly design: Checked<Design>;
      readonly source: SourceBytes;
      readonly fields: ValidateFields;
    }
  | {
      readonly kind: "picture";
      readonly bytes: Uint8Array;
      readonly group: GroupName;
    };

/** Most pixels of the source to compare the contrast with. */
const SOURCE_PIXELS = 2 ** 20;

/** Certifies a subject. Throws `SourceUnreadable`, `SourceTooLarge`, or `Cancelled`. */
export async function certificateOf(
  context: RenderContext,
  subject: Subject,
): Promise<Certificate> {
  await context.checkpoint();
  if (subject.kind === "picture") {
    const picture = await context.codec.decode(subject.bytes);
    const { group } = subject;
    const claim = { group, lattice: { ratio: 1, repeat: "straight" }, hexCells: "7x4" } as const;
    return certify(picture, claim, context.checkpoint);
  }
  const { design, source, fields } = subject;
  const effects = patternStepsOf(design);
  const tile = await renderTile(context, design, source, fields);
  const samples = compositeBackground(tile, design.background);
  const { width, height } = tile;
  const image: ByteImage = { width, height, ...channelsOf(samples) };
  const { group, lattice, counterchange } = design;
  const claim = { group, lattice, hexCells: fields.hex_cells, cells: "rendered" } as const;
  // Designs that were stored before there were counterchanges have none.
  if (counterchange) {
    const kept = { ...claim, group: keptGroup(counterchange), rendered: design };
    const certificate = await certify(image, kept, context.checkpoint);
    const isometries = isometriesOfDesign(design);
    const grid = tileOf(isometries, fields).tile;
    const max_error = await errorOfExchange(tile, grid, isometries, context.checkpoint);
    return { ...certificate, counterchange: { group, max_error } };
  }
  if (effects.length > 0) return certify(image, claim, context.checkpoint);
  // Effects change the contrast on purpose; without them the seam should not.
  const levels = await context.codec.levels(source);
  return certify(image, { ...claim, sourceDeviation: deviationOf(levels) }, context.checkpoint);
}

/** Deviations of sources, which many designs have in common. */
const deviations = new WeakMap<SourceLevels, number>();

function deviationOf(levels: SourceLevels): number {
  // The noise of finer pixels is averaged in the tile, too.
  const measure = () =>
    luminanceDeviation(channelsOf(levels.level(octaveWithin(levels, SOURCE_PIXELS))));
  const deviation = deviations.get(levels) ?? measure();
  deviations.set(levels, deviation);
  return deviation;
}

const channelsOf = (image: Samples | PackedImage) => ({
  channels: image.alpha === null ? (3 as const) : (4 as const),
  pixels: bytesOf(image),
});

/** Rows between checkpoints. */
const ROWS_AT_ONCE = 64;

/**
 * Resolves with the largest difference of a tile from its negative under an operation that exchanges the
 * colours, at pixels that no such operation leaves in their place; null if none maps pixels to pixels.
 * Pixels that operations without exchange map onto each other are compared once.
 */
async function errorOfExchange(
  { colour, alpha }: Samples,
  tile: Tile,
  isometries: Isometries,
  checkpoint: RenderContext["checkpoint"],
): Promise<number | null> {
  const operations = gridOperations(isometries, tile);
  const exchanging = operations.filter((operation) => operation.exchanging);
  const [first] = exchanging;
  if (first === undefined) return null;
  const kept = operations.filter((operation) => !operation.exchanging);
  let most = 0;
  for (const [index, { y, from, to }] of asymmetricUnit(kept, tile).entries()) {
    if (index % ROWS_AT_ONCE === 0) await checkpoint();
    for (let x = from; x < to; x++) {
      const pixel = y * tile.width + x;
      const stays = exchanging.some((operation) => imageOf(operation, x, y, tile) === pixel);
      if (stays || alpha?.[pixel] === 0) continue;
      const image = imageOf(first, x, y, tile);
      for (const shift of [16, 8, 0]) {
        const sum = ((colour[pixel] >> shift) & 255) + ((colour[image] >> shift) & 255);
        most = Math.max(most, Math.abs(sum - 255));
      }
    }
  }
  return most;
}
