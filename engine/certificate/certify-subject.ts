/** Certificates of symmetry for patterns, which are rendered for it, and for any picture. */

import { bytesOf, compositeBackground } from "../image/samples.ts";
import { patternStepsOf } from "../recipe/check.ts";
import type { Checked, Design, GroupName, SourceBytes, ValidateFields } from "../recipe/index.ts";
import type { RenderContext } from "../render/context.ts";
import { renderTile } from "../render/tile.ts";
import type { Certificate, Swatch } from "./certificate.ts";
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

/** Certifies a subject. Throws `SourceUnreadable`, `SourceTooLarge`, or `Cancelled`. */
export async function certificateOf(
  context: RenderContext,
  subject: Subject,
): Promise<Certificate> {
  await context.checkpoint();
  if (subject.kind === "picture") {
    const picture = await context.codec.decodeInEightBits(subject.bytes);
    const { group } = subject;
    const claim = { group, lattice: { ratio: 1, repeat: "straight" }, hexCells: "7x4" } as const;
    return certify(picture, claim, context.checkpoint);
  }
  const { design, source, fields } = subject;
  const { size, hex_cells: hexCells } = fields;
  const effects = patternStepsOf(design);
  const tile = await renderTile(context, design, source, size, hexCells);
  const samples = compositeBackground(tile, design.background);
  const swatch: Swatch = {
    width: size,
    height: size,
    channels: samples.alpha === null ? 3 : 4,
    pixels: bytesOf(samples),
  };
  const { group, lattice } = design;
  const claim = { group, lattice, hexCells, cells: "rendered" } as const;
  if (effects.length > 0) return certify(swatch, claim, context.checkpoint);
  // Effects change the contrast on purpose; without them the seam should not.
  const original = await context.sources.decoded(source, context.codec);
  const sourceDeviation = luminanceDeviation(original);
  return certify(swatch, { ...claim, sourceDeviation }, context.checkpoint);
}
