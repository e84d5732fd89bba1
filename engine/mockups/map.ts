/**
 * The precomputed map of a scene: for each sample its position on the print, its lighting, and the
 * colour beside the print. A map is one little-endian file, which browsers can read as well:
 *
 * - `HEADER_BYTES` of JSON, padded with spaces: a `MapHeader`;
 * - the background, 8-bit RGB: the product without its print; for a pixel that shows only print the
 *   colour under it, at `EXPOSURE`; for a pixel that shows print in part the colour beside it;
 * - the pixels that show only print, as runs: uint32 pairs of the first pixel and their number;
 * - the pixels that show print in part: uint32 pairs of a pixel and how many of its `PARTS` show it;
 * - the samples of the former and then those of the latter, each in the order of the pixels and
 *   `BLOCK` at a time, see `PLANES`; the last block of each is padded with zeros;
 * - the colour under each sample of the latter at `EXPOSURE`, 8-bit RGB.
 *
 * A sample's light is `cover · (print · lit + gloss) + (1 − cover) · under`, linear.
 */

export interface MapHeader {
  /** Pixels of the picture's side. */
  readonly size: number;
  readonly runs: number;
  readonly edges: number;
  /** Samples of whole pixels and of parts of pixels. */
  readonly wholes: number;
  readonly parts: number;
  /** Texels a millimetre that a print needs. */
  readonly density: number;
}

export const HEADER_BYTES = 512;

/** Samples of a pixel that shows more than one surface. */
export const PARTS = 8;

/** Factor of stored light, so that colours brighter than white fit. */
export const EXPOSURE = 0.5;

/** Samples in a block. */
export const BLOCK = 1 << 14;

/** Stored value of a light of 1. */
export const LIGHT_ONE = 32768;

/** A block's planes in order, with the bytes of a number. */
const PLANES = {
  /** Position on the print in millimetres, float32. */
  u: 4,
  v: 4,
  /** Extent of the pixel's footprint there: root sums of squares of one pixel right and one down. */
  across: 4,
  down: 4,
  /** Correlation of both axes of the footprint, −1…1. */
  askew: 4,
  /** Uint16 of `LIGHT_ONE`. */
  lit: 2,
  gloss: 2,
} as const;

/** Planes of float32 at a block's start, and of uint16 after them. */
export const FLOAT_PLANES = 5;
export const LIGHT_PLANES = 2;

/** Bytes of a block. */
export const BLOCK_BYTES = BLOCK * Object.values(PLANES).reduce((sum, width) => sum + width, 0);

/** Views of a block's planes. */
export interface Block {
  readonly bytes: Uint8Array;
  readonly u: Float32Array;
  readonly v: Float32Array;
  readonly across: Float32Array;
  readonly down: Float32Array;
  readonly askew: Float32Array;
  readonly lit: Uint16Array;
  readonly gloss: Uint16Array;
}

/** Returns the views of a block in `buffer` from `offset` on; by default in a new one. */
export function createBlock(
  buffer: ArrayBufferLike = new ArrayBuffer(BLOCK_BYTES),
  offset = 0,
): Block {
  let at = offset;
  const next = <Plane>(
    Numbers: new (buffer: ArrayBufferLike, at: number, length: number) => Plane,
    width: number,
  ) => {
    const plane = new Numbers(buffer, at, BLOCK);
    at += BLOCK * width;
    return plane;
  };
  return {
    bytes: new Uint8Array(buffer, offset, BLOCK_BYTES),
    u: next(Float32Array, PLANES.u),
    v: next(Float32Array, PLANES.v),
    across: next(Float32Array, PLANES.across),
    down: next(Float32Array, PLANES.down),
    askew: next(Float32Array, PLANES.askew),
    lit: next(Uint16Array, PLANES.lit),
    gloss: next(Uint16Array, PLANES.gloss),
  };
}

const blocksOf = (samples: number) => Math.ceil(samples / BLOCK) * BLOCK_BYTES;

/** Returns the offsets of a map's sections in its file, and of its end. */
export function sectionsOf({ size, runs, edges, wholes, parts }: MapHeader) {
  const background = HEADER_BYTES;
  const run = background + 3 * size * size;
  const edge = run + 8 * runs;
  const whole = edge + 8 * edges;
  const part = whole + blocksOf(wholes);
  const under = part + blocksOf(parts);
  return { background, run, edge, whole, part, under, end: under + 3 * parts };
}

/** A map whose sections are read on demand: it has tens of megabytes. */
export interface MockupMap {
  readonly header: MapHeader;
  /** Fills `into` with the file's bytes from `at` on. */
  read(into: Uint8Array, at: number): void;
}

export const headerBytes = (header: MapHeader): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(header).padEnd(HEADER_BYTES));

export const readHeader = (bytes: Uint8Array): MapHeader =>
  JSON.parse(new TextDecoder().decode(bytes));

/** Opens a map by a function that reads its bytes. */
export function openMap(read: MockupMap["read"]): MockupMap {
  const bytes = new Uint8Array(HEADER_BYTES);
  read(bytes, 0);
  return { header: readHeader(bytes), read };
}
