/**
 * A TIFF writer (TIFF 6.0) that takes the picture in strips of rows and holds only one. The directory
 * comes last; its offset in the header is patched afterwards.
 */
import { deflateSync } from "node:zlib";
import type { Size } from "../size.ts";
import { concatBytes, type Encoder, type Patch, uniformChannels } from "./encoder.ts";
import type { IccProfile } from "./icc.ts";
import { lzw, lzwBound } from "./lzw.ts";
import { RowFilter, SUB } from "./png/filters.ts";
import { indexedFormatOf, type PixelFormat, truecolourFormat } from "./png/pixel-format.ts";
import { DEFAULT_LEVEL } from "./png/rows.ts";
import { createRowBlocks } from "./row-blocks.ts";

export interface TiffOptions extends Size {
  /** 1: index into `palette`, 3: RGB, 4: RGB with straight alpha; 8 bits each. */
  readonly channels: 1 | 3 | 4;
  /** RGB of at most 256 colours. */
  readonly palette?: Uint8Array;
  readonly pixelsPerInch: number;
  readonly profile: IccProfile;
  readonly compression: "lzw" | "deflate";
  /** Rows of every strip but the last, which has the rest. */
  readonly rowsPerStrip: number;
}

/** Approximate pixels of a strip. */
const STRIP_PIXELS = 1 << 17;

/** Returns the rows of a picture's strips; the last one may have fewer. */
export const tiffRows = ({ width, height }: Size): number =>
  Math.min(height, Math.max(1, Math.floor(STRIP_PIXELS / width)));

/**
 * Creates a TIFF encoder. The finished file needs its patch. An image of at most 256 colours that repeats a period
 * without alpha is indexed.
 */
export function createTiffEncoder(
  facts: Omit<TiffOptions, "channels" | "palette" | "rowsPerStrip">,
): Encoder {
  const { width, height } = facts;
  const rowsPerStrip = tiffRows(facts);
  const channelsOf = uniformChannels();
  let format: PixelFormat | null = null;
  let writer: TiffWriter | null = null;
  let blocks: ReturnType<typeof createRowBlocks>;
  let compress: ReturnType<typeof tiffCompressor>;
  let patch: Patch | null = null;
  return {
    choosePixelFormat(period) {
      format = indexedFormatOf(period);
    },
    band(band) {
      const channels = channelsOf(band);
      format ??= truecolourFormat(channels);
      const parts: Uint8Array[] = [];
      if (writer === null) {
        const { palette } = format;
        const layout = palette
          ? ({ channels: 1, palette: palette.colours } as const)
          : { channels };
        blocks = createRowBlocks(width * layout.channels, rowsPerStrip, height);
        const options = { ...facts, ...layout, rowsPerStrip };
        compress = tiffCompressor(options);
        writer = createTiffWriter(options);
        parts.push(writer.head());
      }
      for (const strip of blocks(format.bytes(band, width))) {
        parts.push(writer.add(compress(strip)));
      }
      return concatBytes(parts);
    },
    end() {
      const end = (writer as TiffWriter).end();
      patch = end.patch;
      return end.bytes;
    },
    patch: () => patch,
  };
}

export interface TiffWriter {
  /** Returns everything before the pixels. */
  head(): Uint8Array;
  /** Adds the next strip, which `tiffCompressor` has compressed, and returns it. Throws `RangeError` for one too many. */
  add(compressed: Uint8Array): Uint8Array;
  /** Returns everything after the pixels. Throws `RangeError` while strips are missing. */
  end(): { readonly bytes: Uint8Array; readonly patch: Patch };
}

/** Offsets have 32 bits. */
const MAX_BYTES = 2 ** 32 - 1;

/** "II" for little-endian, 42, and a placeholder for the directory's offset. */
const HEAD = Uint8Array.of(0x49, 0x49, 42, 0, 0, 0, 0, 0);
const DIRECTORY_AT = 4;

/** Encodes 16-bit values (§2). */
function shorts(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, at) => {
    bytes.writeUInt16LE(value, 2 * at);
  });
  return bytes;
}

/** Encodes 32-bit values (§2). */
function uint32s(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, at) => {
    bytes.writeUInt32LE(value, 4 * at);
  });
  return bytes;
}

const SHORT = { number: 3, bytes: 2 } as const;
const LONG = { number: 4, bytes: 4 } as const;
const RATIONAL = { number: 5, bytes: 8 } as const;
const UNDEFINED = { number: 7, bytes: 1 } as const;

/** A directory entry. */
type Field = readonly [
  tag: number,
  type: { readonly number: number; readonly bytes: number },
  value: Buffer,
];

/** Adobe's deflate (Technical Note "Photoshop TIFF"), and §13. */
const COMPRESSION = { deflate: 8, lzw: 5 } as const;

/** Denominator of resolutions. */
const RESOLUTION_PARTS = 1000;

const RGB = 2;
const INDEXED = 3;

const NO_PREDICTOR = 1;
/** Differences along rows. */
const HORIZONTAL = 2;

/** Returns the 256 reds, greens and blues of a palette in 16 bits each (§5). */
const colourMap = (palette: Uint8Array): Buffer =>
  shorts(
    ...[0, 1, 2].flatMap((of) =>
      Array.from({ length: 256 }, (_, k) => 257 * (palette[3 * k + of] ?? 0)),
    ),
  );

/** Returns the fields in order of their tags (§5, §8, §14, §18; ICC.1 annex B.4). */
function fieldsOf(options: TiffOptions, offsets: readonly number[], counts: readonly number[]) {
  const { width, height, channels, palette, compression, rowsPerStrip, profile } = options;
  const resolution = uint32s(
    Math.round(options.pixelsPerInch * RESOLUTION_PARTS),
    RESOLUTION_PARTS,
  );
  const fields: Field[] = [
    [256, LONG, uint32s(width)],
    [257, LONG, uint32s(height)],
    [258, SHORT, shorts(...Array.from({ length: channels }, () => 8))],
    [259, SHORT, shorts(COMPRESSION[compression])],
    [262, SHORT, shorts(palette ? INDEXED : RGB)],
    [273, LONG, uint32s(...offsets)],
    [277, SHORT, shorts(channels)],
    [278, LONG, uint32s(rowsPerStrip)],
    [279, LONG, uint32s(...counts)],
    [282, RATIONAL, resolution],
    [283, RATIONAL, resolution],
    [284, SHORT, shorts(1)], // pixels, not planes
    [296, SHORT, shorts(2)], // inches
    [317, SHORT, shorts(palette ? NO_PREDICTOR : HORIZONTAL)],
    ...(palette ? [[320, SHORT, colourMap(palette)] as const] : []),
    ...(channels === 4 ? [[338, SHORT, shorts(2)] as const] : []), // alpha not multiplied in
    [34675, UNDEFINED, Buffer.from(profile.bytes)],
  ];
  return fields;
}

/** Returns the directory (§2) at offset `at`, followed by the values that do not fit into entries. */
function directory(fields: readonly Field[], at: number): Buffer {
  const outside: Buffer[] = [];
  let free = at + 2 + 12 * fields.length + 4;
  const entries = fields.map(([tag, { number, bytes }, value]) => {
    const head = Buffer.concat([shorts(tag, number), uint32s(value.length / bytes)]);
    if (value.length <= 4) return Buffer.concat([head, value], 12);
    const place = free;
    const padded = Buffer.concat([value], value.length + (value.length & 1));
    outside.push(padded);
    free += padded.length;
    return Buffer.concat([head, uint32s(place)]);
  });
  return Buffer.concat([shorts(fields.length), ...entries, uint32s(0), ...outside]);
}

/**
 * Returns a function that compresses a strip, tightly packed. Runs synchronously; the same rows return the same bytes.
 * Throws `RangeError` for a partial row or too many rows.
 */
export function tiffCompressor({
  width,
  channels,
  palette,
  compression,
  rowsPerStrip,
}: Pick<TiffOptions, "width" | "channels" | "palette" | "compression" | "rowsPerStrip">) {
  const stride = width * channels;
  const differences = new Uint8Array(rowsPerStrip * stride);
  const codes = new Uint8Array(compression === "lzw" ? lzwBound(differences.length) : 0);
  /** Returns the differences along rows (§14), which are PNG's filter Sub. */
  const differencesOf = (rows: Uint8Array) => {
    const filter = new RowFilter(new Uint8Array(stride), channels);
    for (let from = 0; from < rows.length; from += stride) {
      differences.set(filter.next(rows.subarray(from, from + stride), SUB), from);
    }
    return differences.subarray(0, rows.length);
  };
  return (rows: Uint8Array): Uint8Array => {
    if (rows.length > differences.length || rows.length % stride !== 0) {
      throw new RangeError(
        `expected at most ${rowsPerStrip} rows of ${stride} bytes, got ${rows.length} bytes`,
      );
    }
    const filtered = palette ? rows : differencesOf(rows);
    return compression === "lzw"
      ? codes.slice(0, lzw(filtered, codes))
      : deflateSync(filtered, { level: DEFAULT_LEVEL, memLevel: 9 });
  };
}

/**
 * Creates a TIFF writer. The file is `head()`, every strip from the top, then the bytes of `end()`, with the patch
 * applied.
 * @throws {RangeError} if the file could exceed 32-bit offsets
 */
export function createTiffWriter(options: TiffOptions): TiffWriter {
  const { width, height, channels, rowsPerStrip } = options;
  const stride = width * channels;
  const strips = Math.ceil(height / rowsPerStrip);
  const most = lzwBound(stride * height) + 32 * strips + 65536;
  if (most > MAX_BYTES) {
    throw new RangeError(
      `a TIFF has at most ${MAX_BYTES} bytes; ${width} × ${height} × ${channels} could take ${most}`,
    );
  }
  const offsets: number[] = [];
  const counts: number[] = [];
  let position = HEAD.length;
  return {
    head: () => HEAD.slice(),
    add(compressed) {
      if (counts.length === strips) throw new RangeError(`expected ${strips} strips`);
      offsets.push(position);
      counts.push(compressed.length);
      position += compressed.length;
      return compressed;
    },
    end() {
      const missing = strips - counts.length;
      if (missing > 0) throw new RangeError(`${missing} of ${strips} strips are missing`);
      // A directory starts at an even offset (§2).
      const padding = Buffer.alloc(position & 1);
      const at = position + padding.length;
      const bytes = Buffer.concat([padding, directory(fieldsOf(options, offsets, counts), at)]);
      return { bytes, patch: { at: DIRECTORY_AT, bytes: uint32s(at) } };
    },
  };
}
