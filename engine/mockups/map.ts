/**
 * A scene computed once: where each pixel looks on the print, how it is lit and what is seen beside it.
 * A map is one file, little-endian, which a browser can read as well:
 *
 * - `HEAD_BYTES` of JSON, filled up with spaces: a `MapHead`;
 * - the ground, RGB of 8 bits a pixel: the product without its print; where print is all that a pixel
 *   shows what lies under it, at `EXPOSURE`; where it shows print in part what it shows beside it;
 * - the pixels that show print alone, as runs: uint32 pairs of the first pixel and their number;
 * - the pixels that show it in part: uint32 pairs of a pixel and how many of its `PARTS` show print;
 * - the looks at the former and then those at parts of the latter, each in the order of the pixels and
 *   `BLOCK` at a time, see `PLANES`; the last block of each is filled up with zeros;
 * - what lies under each of those parts at `EXPOSURE`, RGB of 8 bits.
 *
 * A look shows `cover · (print · lit + gloss) + (1 − cover) · under`, in linear light.
 */

export interface MapHead {
  /** Pixels of the picture's side. */
  readonly size: number;
  readonly runs: number;
  readonly edges: number;
  /** Looks at whole pixels and at parts of pixels. */
  readonly wholes: number;
  readonly parts: number;
  /** Texels a millimetre that a print needs. */
  readonly density: number;
}

export const HEAD_BYTES = 512;

/** Looks at a pixel in which more than one surface shows. */
export const PARTS = 8;

/** What is brighter than white is stored with that share of its light. */
export const EXPOSURE = 0.5;

/** Looks in a block. */
export const BLOCK = 1 << 14;

/** What a light of 1 is stored as. */
export const LIGHT_ONE = 32768;

/** A block's planes in their order, with the bytes of a number. */
const PLANES = {
  /** Where a look lies on the print, in millimetres, float32. */
  u: 4,
  v: 4,
  /** Extent of its outline there: the roots of the sums of the squares of what a pixel right and one down are. */
  across: 4,
  down: 4,
  /** How much the outline grows down as it grows across, −1…1. */
  askew: 4,
  /** Uint16 of `LIGHT_ONE`. */
  lit: 2,
  gloss: 2,
} as const;

/** Bytes of a block. */
export const BLOCK_BYTES = BLOCK * Object.values(PLANES).reduce((sum, width) => sum + width, 0);

/** A block's numbers, in place. */
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

export function createBlock(): Block {
  const buffer = new ArrayBuffer(BLOCK_BYTES);
  let at = 0;
  const next = <Plane>(
    Numbers: new (buffer: ArrayBuffer, at: number, length: number) => Plane,
    width: number,
  ) => {
    const plane = new Numbers(buffer, at, BLOCK);
    at += BLOCK * width;
    return plane;
  };
  return {
    bytes: new Uint8Array(buffer),
    u: next(Float32Array, PLANES.u),
    v: next(Float32Array, PLANES.v),
    across: next(Float32Array, PLANES.across),
    down: next(Float32Array, PLANES.down),
    askew: next(Float32Array, PLANES.askew),
    lit: next(Uint16Array, PLANES.lit),
    gloss: next(Uint16Array, PLANES.gloss),
  };
}

const blocksOf = (looks: number) => Math.ceil(looks / BLOCK) * BLOCK_BYTES;

/** Where the sections of a map begin in its file. */
export function sectionsOf({ size, runs, edges, wholes, parts }: MapHead) {
  const ground = HEAD_BYTES;
  const run = ground + 3 * size * size;
  const edge = run + 8 * runs;
  const whole = edge + 8 * edges;
  const part = whole + blocksOf(wholes);
  return { ground, run, edge, whole, part, under: part + blocksOf(parts) };
}

/** A map whose parts are read as they are needed: all of it would fill tens of megabytes. */
export interface MockupMap {
  readonly head: MapHead;
  /** Fills `into` with the file's bytes from `at` on. */
  read(into: Uint8Array, at: number): void;
}

/** The bytes of a map's head. */
export const headBytes = (head: MapHead): Uint8Array =>
  Buffer.from(JSON.stringify(head).padEnd(HEAD_BYTES));

export const readHead = (bytes: Uint8Array): MapHead => JSON.parse(Buffer.from(bytes).toString());

/** Opens a map by a function that reads its bytes. */
export function openMap(read: MockupMap["read"]): MockupMap {
  const bytes = new Uint8Array(HEAD_BYTES);
  read(bytes, 0);
  return { head: readHead(bytes), read };
}
