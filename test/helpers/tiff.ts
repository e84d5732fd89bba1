/**
 * A second reader of TIFF 6.0, beside libtiff: 8-bit strips with LZW and horizontal differencing.
 */

export interface Tiff {
  /** Values by tag number. */
  readonly tags: ReadonlyMap<number, readonly number[]>;
  readonly pixels: Uint8Array;
}

export const TAG = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  samples: 277,
  stripBytes: 279,
  horizontalResolution: 282,
  verticalResolution: 283,
  resolutionUnit: 296,
  predictor: 317,
  colourMap: 320,
  extraSamples: 338,
  profile: 34675,
} as const;

/** Bytes of a value, by type (§2). */
const BYTES: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 5: 8, 7: 1 };

/** Reads a file of little-endian byte order with one picture. */
export function readTiff(file: Uint8Array): Tiff {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (view.getUint32(0) !== 0x49492a00) throw new Error("no little-endian TIFF");
  const directory = view.getUint32(4, true);
  const tags = new Map<number, number[]>();
  for (let k = 0; k < view.getUint16(directory, true); k++) {
    const entry = directory + 2 + 12 * k;
    const type = view.getUint16(entry + 2, true);
    const count = view.getUint32(entry + 4, true);
    const bytes = BYTES[type];
    if (bytes === undefined) throw new Error(`a value of type ${type}`);
    const start = bytes * count <= 4 ? entry + 8 : view.getUint32(entry + 8, true);
    const valueAt = (at: number) => {
      if (bytes === 8) return view.getUint32(at, true) / view.getUint32(at + 4, true);
      if (bytes === 4) return view.getUint32(at, true);
      return bytes === 2 ? view.getUint16(at, true) : view.getUint8(at);
    };
    const values = Array.from({ length: count }, (_, n) => valueAt(start + n * bytes));
    tags.set(view.getUint16(entry, true), values);
  }
  const all = (tag: number) => tags.get(tag) ?? [];
  const strips = all(TAG.stripOffsets).map((offset, k) =>
    unpack(file.subarray(offset, offset + all(TAG.stripBytes)[k])),
  );
  const [samples] = all(TAG.samples);
  const pixels = Uint8Array.from(Buffer.concat(strips));
  const rowBytes = all(TAG.width)[0] * samples;
  if (all(TAG.predictor)[0] !== 2) return { tags, pixels };
  // §14: every sample except the first of a row is the difference from the previous one.
  for (let at = 0; at < pixels.length; at++) {
    if (at % rowBytes >= samples) pixels[at] += pixels[at - samples];
  }
  return { tags, pixels };
}

const CLEAR = 256;
const END = 257;

/** LZW of §13: high bits first; the code length grows one entry before the table needs it. */
function unpack(packed: Uint8Array): Uint8Array {
  const out: number[] = [];
  let table: number[][] = [];
  let before: number[] | null = null;
  let position = 0;
  for (let length = 9; ; ) {
    let code = 0;
    for (let k = 0; k < length; k++, position++) {
      code = (code << 1) | ((packed[position >> 3] >> (7 - (position & 7))) & 1);
    }
    if (code === END) return Uint8Array.from(out);
    if (code === CLEAR) {
      table = Array.from({ length: END + 1 }, (_, byte) => [byte]);
      before = null;
    } else {
      const known: number[] = table[code] ?? [...(before ?? []), ...(before ?? []).slice(0, 1)];
      out.push(...known);
      if (before !== null) table.push([...before, known[0]]);
      before = known;
    }
    length = Math.max(9, 32 - Math.clz32(table.length + 1));
  }
}
