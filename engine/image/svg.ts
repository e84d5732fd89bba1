/** Drawings made ready for the rasteriser, librsvg: checked, reduced to what is allowed, and bounded. */
import { costOf } from "./svg/cost.ts";
import { parseSvg } from "./svg/parse.ts";
import { refuse } from "./svg/refuse.ts";
import { serialiseSvg } from "./svg/serialise.ts";

/**
 * The longer side, in pixels, that a smaller drawing is enlarged to. A drawing has no pixels of
 * its own; at the size of an icon it would make a blurred pattern.
 */
const SVG_SIDE = 2048;

/** The longer side that drawings of many layers are still drawn with. */
const LEAST_SIDE = 512;

/** Layers × pixels, about 4 s. */
const LAYER_PIXELS = 2e9;

/** Elements that may be drawn, references followed. */
const DRAWN_ELEMENTS = 100_000;

/** Pixels of the units of lengths, at the 72 pixels per inch that sharp draws with. */
const UNITS: Readonly<Record<string, number>> = {
  in: 72,
  cm: 72 / 2.54,
  mm: 72 / 25.4,
  q: 72 / 101.6,
  pt: 1,
  pc: 12,
};

/** A drawing that may be drawn. */
export interface PreparedSvg {
  /** What was checked, and nothing else. */
  readonly document: Buffer;
  /** The bytes of the embedded pictures, once for every mention. */
  readonly pictures: readonly Buffer[];
  /** Pictures of its own size that drawing it makes meanwhile. */
  readonly layers: number;
}

/**
 * Parses a drawing and writes it anew with the elements, attributes and styles that are allowed.
 * References have to lead into it, or to embedded `data:` pictures (PNG, JPEG, GIF, WebP in base64).
 *
 * @throws {SourceUnreadable} for what is no drawing, for filters and outside references, and for one
 * that draws too much
 */
export function prepareSvg(bytes: Uint8Array): PreparedSvg {
  try {
    return prepare(bytes);
  } catch (error) {
    if (error instanceof RangeError) refuse("nests too deeply");
    throw error;
  }
}

function prepare(bytes: Uint8Array): PreparedSvg {
  const drawing = parseSvg(bytes);
  // librsvg would enlarge physical lengths twice: by the resolution, and with everything else.
  const { attributes } = drawing.root;
  for (const side of ["width", "height"]) {
    const [, length, unit] =
      /^\s*([\d.e+-]+)(in|cm|mm|q|pt|pc)\s*$/i.exec(attributes.get(side) ?? "") ?? [];
    if (unit !== undefined) {
      attributes.set(side, String(Number(length) * UNITS[unit.toLowerCase()]));
    }
  }
  const { elements, layers } = costOf(drawing);
  if (elements > DRAWN_ELEMENTS) {
    refuse(`draws more than ${DRAWN_ELEMENTS} elements once all that it refers to is drawn`);
  }
  return { document: serialiseSvg(drawing.root), pictures: drawing.pictures, layers };
}

/**
 * Returns by how much a drawing of its own size in pixels is enlarged: so that its longer side is
 * `SVG_SIDE`, or less where it has many layers; larger ones stay as they are if they can.
 *
 * @throws {SourceUnreadable} where even a small picture of it has too many
 */
export function enlargementOf(width: number, height: number, layers: number): number {
  const side = Math.max(width, height);
  const wanted = Math.max(1, SVG_SIDE / side);
  const affordable = layers === 0 ? Infinity : Math.sqrt(LAYER_PIXELS / (layers * width * height));
  const enlargement = Math.min(wanted, affordable);
  if (enlargement * side < Math.min(LEAST_SIDE, wanted * side)) {
    refuse(
      `has ${Math.round(layers)} layers (opacity, masks, patterns, pictures), too many to be drawn`,
    );
  }
  return enlargement;
}
