/**
 * How the pixels of a picture that is known as a whole are written in a PNG: as RGB or RGBA, or with
 * fewer bytes as grey or by a palette, where the picture allows it and the file is smaller for it.
 */
import { ColourTable } from "../image/colour-table.ts";
import type { Palette, PngOptions } from "../image/png.ts";
import { BandDeflater } from "../image/png-band.ts";
import { LAZY } from "../image/png-rows.ts";
import { bytesOf } from "./bands.ts";
import type { Samples } from "./samples.ts";
import type { SheetPeriod } from "./surface.ts";

export interface PngPixelFormat extends Pick<PngOptions, "channels" | "palette"> {
  /** Whole rows of so many pixels as they lie in the file before they are filtered. */
  bytes(samples: Samples, width: number): Uint8Array;
}

/** The form that all pictures have. */
export const truecolourFormat = (channels: 3 | 4): PngPixelFormat => ({ channels, bytes: bytesOf });

/**
 * The form in which a picture, or a sheet that repeats it, takes the least bytes.
 * @param greys whether it may be grey: a profile of RGB forbids that
 * @param repeats whether rows go on with their own beginning, which then has to begin a byte
 */
export function smallestFormat(
  picture: SheetPeriod,
  { greys, repeats }: { readonly greys: boolean; readonly repeats: boolean },
): PngPixelFormat {
  const full = truecolourFormat(picture.alpha === null ? 3 : 4);
  const { isGrey, table } = coloursOf(picture, greys);
  const forms = [full];
  if (isGrey && greys) forms.push(greyscaleFormat(picture.alpha !== null));
  if (table !== null) {
    const sizes = numberSizes(table.colours.length, repeats ? picture.width : 0);
    forms.push(...sizes.map((bits) => indexedFormat(table, bits)));
  }
  if (forms.length === 1) return full;
  const lengths = forms.map((form) => fileLength(picture, form));
  return forms[lengths.indexOf(Math.min(...lengths))] as PngPixelFormat;
}

/** A pixel in 32 bits: alpha, red, green, blue. */
const colourAt = ({ colour, alpha }: Samples, at: number): number =>
  (((alpha === null ? 255 : (alpha[at] as number)) << 24) | (colour[at] as number)) >>> 0;

const isGreyColour = (colour: number) => ((colour ^ (colour >>> 8)) & 0xffff) === 0;

/**
 * Whether all colours are grey, and what they are where there are few. Photographs are given up at
 * their 257th colour, within a few hundred pixels.
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

function greyscaleFormat(hasAlpha: boolean): PngPixelFormat {
  const channels = hasAlpha ? 2 : 1;
  return {
    channels,
    bytes({ colour, alpha }) {
      const bytes = new Uint8Array(colour.length * channels);
      for (let i = 0, j = 0; i < colour.length; i++, j += channels) {
        bytes[j] = colour[i] as number;
        if (alpha !== null) bytes[j + 1] = alpha[i] as number;
      }
      return bytes;
    },
  };
}

const opacity = (colour: number) => colour >>> 24;

/** Rec. 601 in thousandths: filters find neighbouring numbers where colours change slowly. */
const lightness = (colour: number) =>
  299 * ((colour >>> 16) & 255) + 587 * ((colour >>> 8) & 255) + 114 * (colour & 255);

/**
 * Bits of a number that are worth a try: as few as so many colours need, and whole bytes, in which
 * matching finds what recurs at any distance.
 * @param repeated width of rows that are repeated, in pixels, or 0
 */
function numberSizes(count: number, repeated: number): Palette["bits"][] {
  const fitting = ([1, 2, 4] as const).find(
    (bits) => count <= 1 << bits && (repeated * bits) % 8 === 0,
  );
  return fitting === undefined ? [8] : [fitting, 8];
}

function indexedFormat(table: ColourTable, bits: Palette["bits"]): PngPixelFormat {
  // Opaque colours last, as the list of alphas ends before them.
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
        if (colour !== last) index = numbers[table.add(colour)] as number;
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

/** Several numbers a byte, the first one highest (§7.2); each row begins a byte. */
function packed(indices: Uint8Array, width: number, bits: 1 | 2 | 4): Uint8Array {
  const each = 8 / bits;
  const stride = Math.ceil(width / each);
  const bytes = new Uint8Array((indices.length / width) * stride);
  for (let from = 0, start = 0; from < indices.length; from += width, start += stride) {
    for (let x = 0; x < width; x++) {
      const to = start + Math.floor(x / each);
      bytes[to] |= (indices[from + x] as number) << (8 - bits * ((x % each) + 1));
    }
  }
  return bytes;
}

/** Rows that are tried: so many at each of so many places. */
const PLACES = 4;
const ROWS = 16;

/** Bytes that the picture would take, about, judged by some of its rows. */
function fileLength(picture: SheetPeriod, form: PngPixelFormat): number {
  const { width, height } = picture;
  const rows = Math.min(height, PLACES * ROWS);
  const tried = form.bytes(rowsOf(picture, rows), width);
  const pixelBytes = form.palette === undefined ? form.channels : 1;
  const { deflated } = new BandDeflater(tried.length / rows, pixelBytes, LAZY).deflate(tried);
  const { colours, alphas } = form.palette ?? { colours: [], alphas: [] };
  return (deflated.length * height) / rows + colours.length + alphas.length;
}

/** All rows of a low picture, or some from several places. */
function rowsOf({ width, height, colour, alpha }: SheetPeriod, rows: number): Samples {
  if (rows === height) return { colour, alpha };
  const taken = (values: Float32Array) => {
    const some = new Float32Array(rows * width);
    for (let place = 0; place < PLACES; place++) {
      const first = Math.floor(((height - ROWS) * place) / (PLACES - 1));
      some.set(values.subarray(first * width, (first + ROWS) * width), place * ROWS * width);
    }
    return some;
  };
  return { colour: taken(colour), alpha: alpha === null ? null : taken(alpha) };
}
