/** Sanitises SVG for the rasteriser, librsvg: checks it, drops what is not allowed, and bounds its cost. */
import { costOf } from "./svg/cost.ts";
import { parseSvg } from "./svg/parse.ts";
import { refuse } from "./svg/refuse.ts";
import { serialiseSvg } from "./svg/serialise.ts";

/**
 * Pixels of the longer side that smaller drawings are enlarged to; at the size of an icon a drawing
 * would make a blurred pattern.
 */
const SVG_SIDE = 2048;

/** Pixels of the longer side below which drawings with many layers are refused. */
const MIN_SIDE = 512;

/** Layers × pixels, about 4 s. */
const LAYER_PIXELS = 2e9;

/** Most elements that may be drawn, following references. */
const DRAWN_ELEMENTS = 100_000;

/** Pixels per unit of length, at the 72 pixels per inch that sharp uses. */
const UNITS: Readonly<Record<string, number>> = {
  in: 72,
  cm: 72 / 2.54,
  mm: 72 / 25.4,
  q: 72 / 101.6,
  pt: 1,
  pc: 12,
};

/** A sanitised drawing. */
export interface PreparedSvg {
  /** The SVG document, written anew from what was checked. */
  readonly document: Buffer;
  /** Files of the embedded pictures, once per reference. */
  readonly pictures: readonly Buffer[];
  /** Estimated full-size intermediate surfaces that drawing it takes. */
  readonly layers: number;
}

/**
 * Parses a drawing and writes it anew with only the allowed elements, attributes and styles.
 * References may only point into the drawing or to embedded `data:` pictures (PNG, JPEG, GIF or WebP in
 * base64).
 *
 * @throws {SourceUnreadable} for anything but an SVG, filters, external references, and drawings that
 * cost too much
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
  // librsvg would scale physical lengths twice: by the resolution and with everything else.
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
 * Returns the factor to enlarge a drawing of this size in pixels by: to a longer side of `SVG_SIDE`,
 * or less if it has many layers. Larger drawings keep their size if they can.
 *
 * @throws {SourceUnreadable} for too many layers even at a small size
 */
export function enlargementOf(width: number, height: number, layers: number): number {
  const side = Math.max(width, height);
  const wanted = Math.max(1, SVG_SIDE / side);
  const affordable = layers === 0 ? Infinity : Math.sqrt(LAYER_PIXELS / (layers * width * height));
  const enlargement = Math.min(wanted, affordable);
  if (enlargement * side < Math.min(MIN_SIDE, wanted * side)) {
    refuse(
      `has ${Math.round(layers)} layers (opacity, masks, patterns, pictures), too many to be drawn`,
    );
  }
  return enlargement;
}
