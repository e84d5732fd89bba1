/**
 * Chooses the pixel format of a PNG or TIFF for a picture known as a whole: RGB or RGBA, or greyscale or
 * indexed if the picture allows it and the file gets smaller.
 */

import { bytesOf, type SampledImage, type Samples } from "../../image/samples.ts";
import type { Allocate } from "../../reused-array.ts";
import { BandDeflater } from "./band.ts";
import { ColourTable } from "./colour-table.ts";
import type { Palette, PngOptions } from "./png.ts";
import { DEFAULT_LEVEL } from "./rows.ts";

export interface PixelFormat extends Pick<PngOptions, "channels" | "palette"> {
  /**
   * Returns whole rows of `width` pixels as unfiltered bytes of the file.
   * @param allocate returns the memory for them; only true colours use it
   */
  bytes(samples: Samples, width: number, allocate?: Allocate<Uint8Array>): Uint8Array;
}

/** Returns the format that fits every picture. */
export const truecolourFormat = (channels: 3 | 4): PixelFormat => ({
  channels,
  bytes: (samples, _width, allocate) => bytesOf(samples, allocate),
});

/**
 * Returns the format that takes the fewest bytes for a picture or a sheet that repeats it.
 * @param greys whether greyscale is allowed; an RGB profile forbids it
 * @param repeats whether rows repeat the picture, so that its width has to be whole bytes
 */
export function smallestFormat(
  picture: SampledImage,
  { greys, repeats }: { readonly greys: boolean; readonly repeats: boolean },
): PixelFormat {
  const full = truecolourFormat(picture.alpha === null ? 3 : 4);
  const { isGrey, table } = coloursOf(picture, greys);
  const formats = [full];
  if (isGrey && greys) formats.push(greyscaleFormat(picture.alpha !== null));
  if (table !== null) {
    const sizes = indexSizes(table.colours.length, repeats ? picture.width : 0);
    formats.push(...sizes.map((bits) => indexedFormat(table, bits)));
  }
  if (formats.length === 1) return full;
  const lengths = formats.map((format) => fileLength(picture, format));
  return formats[lengths.indexOf(Math.min(...lengths))];
}

/**
 * Returns the format of one byte a pixel, an index into a palette. Null for a picture with alpha or more than 256
 * colours.
 */
export function indexedFormatOf(picture: SampledImage): PixelFormat | null {
  if (picture.alpha !== null) return null;
  const { table } = coloursOf(picture, false);
  return table && indexedFormat(table, 8);
}

/** Returns a pixel in 32 bits: alpha, red, green, blue. */
const colourAt = ({ colour, alpha }: Samples, at: number): number =>
  (((alpha === null ? 255 : alpha[at]) << 24) | colour[at]) >>> 0;

const isGreyColour = (colour: number) => ((colour ^ (colour >>> 8)) & 0xffff) === 0;

/**
 * Returns whether all colours are grey, and a table of them if there are at most 256. Stops at the
 * 257th colour, in photographs within a few hundred pixels.
 */
function coloursOf(
  picture: Samples,
  greys: boolean,
): { readonly isGrey: boolean; readonly table: ColourTable | null } {
  let table: ColourTable | null = new ColourTable();
  let isGrey = true;
  let last = -1;
  for (let at = 0; at < picture.colour.length; at++) {
    const colour = colourAt(picture, at);
    if (colour === last) continue;
    last = colour;
    isGrey &&= isGreyColour(colour);
    if (table !== null && table.add(colour) < 0) table = null;
    if (table === null && !(isGrey && greys)) break;
  }
  return { isGrey, table };
}

function greyscaleFormat(hasAlpha: boolean): PixelFormat {
  const channels = hasAlpha ? 2 : 1;
  return {
    channels,
    bytes({ colour, alpha }) {
      const bytes = new Uint8Array(colour.length * channels);
      for (let i = 0, j = 0; i < colour.length; i++, j += channels) {
        bytes[j] = colour[i];
        if (alpha !== null) bytes[j + 1] = alpha[i];
      }
      return bytes;
    },
  };
}

const opacity = (colour: number) => colour >>> 24;

/** Rec. 601 luma × 1000. Sorted by it, similar colours get neighbouring indices, which filter well. */
const lightness = (colour: number) =>
  299 * ((colour >>> 16) & 255) + 587 * ((colour >>> 8) & 255) + 114 * (colour & 255);

/**
 * Returns the index sizes in bits worth trying: the fewest that fit, and 8, where matching finds
 * repetition at any distance.
 * @param repeated width of repeated rows in pixels, or 0
 */
function indexSizes(count: number, repeated: number): Palette["bits"][] {
  const fitting = ([1, 2, 4] as const).find(
    (bits) => count <= 1 << bits && (repeated * bits) % 8 === 0,
  );
  return fitting === undefined ? [8] : [fitting, 8];
}

function indexedFormat(table: ColourTable, bits: Palette["bits"]): PixelFormat {
  // Opaque colours last, so that the list of alphas can end before them.
  const sorted = table.colours.toSorted(
    (a, b) => opacity(a) - opacity(b) || lightness(a) - lightness(b) || a - b,
  );
  const numbers = Uint8Array.from(table.colours, (colour) => sorted.indexOf(colour));
  return {
    channels: 1,
    palette: paletteOf(sorted, bits),
    bytes(samples, width) {
      const indices = new Uint8Array(samples.colour.length);
      let last = -1;
      let index = 0;
      for (let at = 0; at < indices.length; at++) {
        const colour = colourAt(samples, at);
        if (colour !== last) index = numbers[table.add(colour)];
        last = colour;
        indices[at] = index;
      }
      return bits === 8 ? indices : packed(indices, width, bits);
    },
  };
}

const paletteOf = (sorted: Uint32Array, bits: Palette["bits"]): Palette => ({
  bits,
  colours: Uint8Array.from([...sorted].flatMap((colour) => [colour >> 16, colour >> 8, colour])),
  alphas: Uint8Array.from(sorted, opacity).filter((alpha) => alpha < 255),
});

/** Packs indices into bytes, the first one highest (§7.2); each row starts a byte. */
function packed(indices: Uint8Array, width: number, bits: 1 | 2 | 4): Uint8Array {
  const each = 8 / bits;
  const stride = Math.ceil(width / each);
  const bytes = new Uint8Array((indices.length / width) * stride);
  for (let from = 0, start = 0; from < indices.length; from += width, start += stride) {
    for (let x = 0; x < width; x++) {
      const to = start + Math.floor(x / each);
      bytes[to] |= indices[from + x] << (8 - bits * ((x % each) + 1));
    }
  }
  return bytes;
}

/** Groups of sampled rows, and rows of each. */
const GROUPS = 4;
const GROUP_ROWS = 16;

/** Estimates the compressed size in bytes from a sample of rows. */
function fileLength(picture: SampledImage, format: PixelFormat): number {
  const { width, height } = picture;
  const rows = Math.min(height, GROUPS * GROUP_ROWS);
  const tried = format.bytes(sampleRows(picture, rows), width);
  const pixelBytes = format.palette === undefined ? format.channels : 1;
  const { deflated } = new BandDeflater(tried.length / rows, pixelBytes, DEFAULT_LEVEL).deflate(
    tried,
  );
  const { colours, alphas } = format.palette ?? { colours: [], alphas: [] };
  return (deflated.length * height) / rows + colours.length + alphas.length;
}

/** Returns all rows of a low picture, or evenly spaced groups of rows. */
function sampleRows({ width, height, colour, alpha }: SampledImage, rows: number): Samples {
  if (rows === height) return { colour, alpha };
  const taken = (values: Float32Array) => {
    const some = new Float32Array(rows * width);
    for (let group = 0; group < GROUPS; group++) {
      const first = Math.floor(((height - GROUP_ROWS) * group) / (GROUPS - 1));
      const rows = values.subarray(first * width, (first + GROUP_ROWS) * width);
      some.set(rows, group * GROUP_ROWS * width);
    }
    return some;
  };
  return { colour: taken(colour), alpha: alpha === null ? null : taken(alpha) };
}
