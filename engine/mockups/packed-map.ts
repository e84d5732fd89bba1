/**
 * Maps for screens, small enough to be sent. The numbers of a map are rounded, each is predicted from
 * those before it, and what the predictions miss is compressed by gzip: about a tenth of the map.
 * Unpacking only adds, multiplies and divides, so a packed map is the same map on every machine.
 *
 * A packed map is `HEADER_BYTES` of JSON, a `PackedHeader`, and the compressed columns. A column is
 * stored as the low bytes of its numbers, then the middle and the high ones.
 */
import { keysOf } from "../../shaders/lib/keys-of.ts";
import {
  BLOCK,
  BLOCK_BYTES,
  type Block,
  createBlock,
  HEADER_BYTES,
  headerBytes,
  type MapHeader,
  readHeader,
  sectionsOf,
} from "./map.ts";

export interface PackedHeader extends MapHeader {
  /** Bytes of the compressed columns. */
  readonly packed: number;
}

/** Returns the bytes of a map's file by its header, packed or not. */
export const fileLength = (header: MapHeader | PackedHeader): number =>
  "packed" in header ? HEADER_BYTES + header.packed : sectionsOf(header).end;

/** Integers of a map, in the order in which they are stored. */
interface Column {
  readonly length: number;
  get(i: number): number;
  set(i: number, value: number): void;
  /** Returns what is expected at `i`, from the values before it. */
  predict(values: Int32Array, i: number): number;
}

/** Steps of a texel in which positions are stored. An edge of black and white shows a half of one as 1/255. */
const POSITION_STEPS = 256;

/** Steps of the correlation of a footprint's axes. */
const ASKEW_STEPS = 1024;

/** Rounds a number of a plane to an integer, and back. */
interface Rounding {
  to(value: number): number;
  from(stored: number): number;
}

const FLOAT = new Float32Array(1);
const BITS = new Uint32Array(FLOAT.buffer);

/** A float32 with 9 bits of mantissa. */
const coarseFloat: Rounding = {
  to(value) {
    FLOAT[0] = value;
    return (BITS[0] + 0x2000) >>> 14;
  },
  from(stored) {
    BITS[0] = stored << 14;
    return FLOAT[0];
  },
};

/** Finer towards ±1, where a footprint's shorter axis depends on it. */
const askew: Rounding = {
  to: (value) => Math.sign(value) * Math.round(ASKEW_STEPS * (1 - Math.sqrt(1 - Math.abs(value)))),
  from(stored) {
    const rest = 1 - Math.abs(stored) / ASKEW_STEPS;
    return Math.sign(stored) * (1 - rest * rest);
  },
};

/** Square roots of light, which are about perceptual: 512 steps to a light of 1. */
const light: Rounding = {
  to: (value) => Math.round(Math.sqrt(8 * value)),
  from: (stored) => Math.min((stored * stored + 4) >> 3, 65535),
};

function roundings({
  density,
}: MapHeader): Readonly<Record<Exclude<keyof Block, "bytes">, Rounding>> {
  const steps = POSITION_STEPS * density;
  const position: Rounding = {
    to: (value) => Math.round(value * steps),
    from: (stored) => stored / steps,
  };
  return {
    u: position,
    v: position,
    across: coarseFloat,
    down: coarseFloat,
    askew,
    lit: light,
    gloss: light,
  };
}

/**
 * Yields the columns of a map. When it is unpacked, a column is filled before the next one is asked for,
 * which may depend on it.
 * @param bytes of the map, beginning with its header
 */
function* columnsOf(bytes: Uint8Array, header: MapHeader): Iterable<Column> {
  const { size, wholes, parts } = header;
  const at = sectionsOf(header);
  yield* colours(bytes.subarray(at.background, at.run), (values, i) => {
    const left = i % size > 0 ? values[i - 1] : values[i - size];
    const above = i >= size ? values[i - size] : left;
    return i > 0 ? (left + above) >> 1 : 0;
  });
  const { buffer, byteOffset } = bytes;
  const runs = new Uint32Array(buffer, byteOffset + at.run, 2 * header.runs);
  const edges = new Uint32Array(buffer, byteOffset + at.edge, 2 * header.edges);
  for (const pairs of [runs, edges]) yield* [pairColumn(pairs, 0), pairColumn(pairs, 1)];

  const blocksAt = (first: number, samples: number) =>
    Array.from({ length: Math.ceil(samples / BLOCK) }, (_, k) =>
      createBlock(buffer, byteOffset + first + k * BLOCK_BYTES),
    );
  yield* samplesOf(header, blocksAt(at.whole, wholes), wholes, besideAndAbove(runs, size, wholes));
  yield* samplesOf(header, blocksAt(at.part, parts), parts, before);
  yield* colours(bytes.subarray(at.under, at.end), before);
}

const before: Column["predict"] = (values, i) => (i > 0 ? values[i - 1] : 0);

/** Yields the channels of RGB; red and blue as differences from green, which resemble each other. */
function* colours(rgb: Uint8Array, predict: Column["predict"]): Iterable<Column> {
  const length = rgb.length / 3;
  yield {
    length,
    get: (i) => rgb[3 * i + 1],
    set(i, value) {
      rgb[3 * i + 1] = value;
    },
    predict,
  };
  for (const channel of [0, 2]) {
    yield {
      length,
      get: (i) => rgb[3 * i + channel] - rgb[3 * i + 1],
      set(i, value) {
        rgb[3 * i + channel] = value + rgb[3 * i + 1];
      },
      predict,
    };
  }
}

function pairColumn(pairs: Uint32Array, which: 0 | 1): Column {
  return {
    length: pairs.length / 2,
    get: (i) => pairs[2 * i + which],
    set(i, value) {
      pairs[2 * i + which] = value;
    },
    predict: before,
  };
}

function* samplesOf(
  header: MapHeader,
  blocks: readonly Block[],
  length: number,
  predict: Column["predict"],
): Iterable<Column> {
  const roundingOf = roundings(header);
  for (const name of keysOf(roundingOf)) {
    const { to, from } = roundingOf[name];
    const planes = blocks.map((block) => block[name]);
    yield {
      length,
      get: (i) => to(planes[Math.floor(i / BLOCK)][i % BLOCK]),
      set(i, value) {
        planes[Math.floor(i / BLOCK)][i % BLOCK] = from(value);
      },
      predict,
    };
  }
}

/** Predicts a sample from those of the pixels beside and above: as if all lay on a plane. */
function besideAndAbove(runs: Uint32Array, size: number, samples: number): Column["predict"] {
  const sampleAt = new Int32Array(size * size).fill(-1);
  const pixelOf = new Int32Array(samples);
  for (let run = 0, sample = 0; run < runs.length; run += 2) {
    for (let k = 0; k < runs[run + 1]; k++, sample++) {
      sampleAt[runs[run] + k] = sample;
      pixelOf[sample] = runs[run] + k;
    }
  }
  return (values, i) => {
    const pixel = pixelOf[i];
    const column = pixel % size;
    const left = column > 0 ? sampleAt[pixel - 1] : -1;
    const above = pixel >= size ? sampleAt[pixel - size] : -1;
    const corner = column > 0 && pixel >= size ? sampleAt[pixel - size - 1] : -1;
    if (left >= 0 && above >= 0 && corner >= 0)
      return values[left] + values[above] - values[corner];
    if (left >= 0) return values[left];
    return above >= 0 ? values[above] : 0;
  };
}

const CODED_BYTES = 3;

/** Packs a map. */
export async function packMap(map: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const header = readHeader(map.subarray(0, HEADER_BYTES));
  const planes: Uint8Array<ArrayBuffer>[] = [];
  for (const column of columnsOf(map, header)) {
    const { length } = column;
    const values = Int32Array.from({ length }, (_, i) => column.get(i));
    const coded = new Uint8Array(CODED_BYTES * length);
    for (let i = 0; i < length; i++) {
      const missed = values[i] - column.predict(values, i);
      // Small numbers of both signs become small ones.
      const code = (missed << 1) ^ (missed >> 31);
      coded[i] = code;
      coded[length + i] = code >>> 8;
      coded[2 * length + i] = code >>> 16;
    }
    planes.push(coded);
  }
  const packed = await piped(new Blob(planes), new CompressionStream("gzip"));
  const whole: PackedHeader = { ...header, packed: packed.length };
  return new Uint8Array(
    await new Blob([ownBytes(headerBytes(whole)), ownBytes(packed)]).arrayBuffer(),
  );
}

const ownBytes = (bytes: Uint8Array) => bytes as Uint8Array<ArrayBuffer>;

/** Returns the map that was packed, with rounded numbers. Rejects with a TypeError for damaged data. */
export async function unpackMap(file: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { packed: _, ...header } = readHeader(file.subarray(0, HEADER_BYTES)) as PackedHeader;
  const coded = await piped(
    new Blob([file.subarray(HEADER_BYTES)]),
    new DecompressionStream("gzip"),
  );
  const map = new Uint8Array(sectionsOf(header).end);
  map.set(headerBytes(header));
  let at = 0;
  for (const column of columnsOf(map, header)) {
    const { length } = column;
    const values = new Int32Array(length);
    for (let i = 0; i < length; i++) {
      const code =
        coded[at + i] | (coded[at + length + i] << 8) | (coded[at + 2 * length + i] << 16);
      values[i] = column.predict(values, i) + ((code >>> 1) ^ -(code & 1));
      column.set(i, values[i]);
    }
    at += CODED_BYTES * length;
  }
  return map;
}

async function piped(from: Blob, through: CompressionStream | DecompressionStream) {
  return new Uint8Array(await new Response(from.stream().pipeThrough(through)).arrayBuffer());
}
