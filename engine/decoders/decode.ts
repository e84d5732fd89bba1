/**
 * Decodes source files. Everything too large is refused from the header, before any pixel is
 * decoded.
 */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Metadata, Sharp, SharpOptions } from "sharp";
import { SourceTooLarge, SourceUnreadable } from "../errors.ts";
import type { ByteImage, InspectedSource } from "../image/picture.ts";
// Not from recipe.ts: without it a codec process starts in a third of the time.
import { LIMITS } from "../recipe/limits.ts";
import { sharp } from "./libvips.ts";
import { isTolerated, neededPart } from "./needed-part.ts";
import { SOURCE_FORMATS, type SourceFormat, sniff } from "./sniff-media-type.ts";

/** Maximum total pixels of the pictures embedded in one SVG; each costs the rasteriser 12 bytes. */
const SVG_EMBEDDED_PIXELS = 16_000_000;

/**
 * Maximum file size: a fixed allowance, mostly for profiles, and bytes per pixel, twice what 16-bit
 * RGBA needs uncompressed because a TIFF may contain smaller copies of itself.
 */
const OVERHEAD_BYTES = 4 * 1024 * 1024;
const PIXEL_BYTES = 16;

/** Pixels per inch: where sharp draws an SVG at its own size, and sharp's maximum. */
const SVG_DENSITY = { own: 72, maximum: 100_000 };

/** Reads only the header. Lifts libvips' own size limit so that our error can name the size. */
async function header(
  bytes: Uint8Array,
  kind: SourceFormat,
  options: SharpOptions,
): Promise<Metadata> {
  try {
    const metadata = await sharp(bytes, { ...options, limitInputPixels: false }).metadata();
    if (metadata.format === kind.decoder) return metadata;
  } catch (cause) {
    const what = `the ${kind.title} file is damaged or cut short`;
    throw new SourceUnreadable(`${what}: no size can be read`, { cause });
  }
  throw new SourceUnreadable(`the ${kind.title} file holds something else`);
}

/** Bytes and options for libvips. */
interface DecoderInput {
  readonly bytes: Uint8Array;
  readonly options: SharpOptions;
}

/** Sanitises an SVG and chooses the density to rasterise it at. */
async function drawing(given: Uint8Array, kind: SourceFormat): Promise<DecoderInput> {
  // Imported lazily: loading the CSS parser takes a while.
  const { enlargementOf, prepareSvg } = await import("./svg.ts");
  const { document: bytes, pictures, layers } = prepareSvg(given);
  let embedded = 0;
  for (const picture of pictures) {
    const { width, height } = await header(picture, embeddedKind(picture), {});
    checkSize(width, height);
    embedded += width * height;
  }
  if (embedded > SVG_EMBEDDED_PIXELS) {
    throw new SourceUnreadable(
      `the SVG holds pictures of ${embedded} pixels together, at most ${SVG_EMBEDDED_PIXELS} are taken`,
    );
  }
  const { width, height } = await header(bytes, kind, {});
  const density = SVG_DENSITY.own * enlargementOf(width, height, layers);
  return { bytes, options: { density: Math.min(Math.max(1, density), SVG_DENSITY.maximum) } };
}

/** Throws `SourceTooLarge` for too many pixels in total or along one side. */
function checkSize(width: number, height: number): void {
  const { pixels, side } = LIMITS.source;
  if (width * height > pixels || Math.max(width, height) > side) {
    throw new SourceTooLarge(width, height, { pixels, side });
  }
}

function embeddedKind(bytes: Uint8Array): SourceFormat {
  const kind = sniff(bytes);
  if (kind === undefined || kind.decoder === "svg") {
    throw new SourceUnreadable("the SVG holds an embedded picture that cannot be read");
  }
  return kind;
}

/** Drops the alpha channel if every pixel is opaque. */
function dropOpaqueAlpha(picture: ByteImage): ByteImage {
  const { width, height, pixels } = picture;
  if (picture.channels === 3) return picture;
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return picture;
  const colours = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; to < colours.length; from += 4, to += 3) {
    colours[to] = pixels[from];
    colours[to + 1] = pixels[from + 1];
    colours[to + 2] = pixels[from + 2];
  }
  return { ...picture, channels: 3, pixels: colours };
}

/** Some encoders widen 8 bits by 256, others by 257: the upper bits are right for both. */
function upperBits(values: Uint16Array): Uint8Array {
  const upper = new Uint8Array(values.length);
  for (let at = 0; at < values.length; at++) upper[at] = values[at] >> 8;
  return upper;
}

/** Returns the pipeline that converts to upright sRGB. */
function conversion({ bytes, options }: DecoderInput, metadata: Metadata): Sharp {
  const image = sharp(bytes, {
    ...options,
    // "error" rejects truncated files; "warning" would also reject JPEGs with stray bytes between
    // segments, which cameras write and every viewer shows.
    failOn: "error",
    limitInputPixels: LIMITS.source.pixels,
    autoOrient: true,
  });
  if (metadata.depth === "uchar") return image.toColourspace("srgb").raw();
  // sharp converts 16-bit RGB with a profile to Display P3, and back only on request.
  const profiled = metadata.space === "rgb16" && metadata.hasProfile;
  return (profiled ? image.withIccProfile("srgb") : image)
    .toColourspace("rgb16")
    .raw({ depth: "ushort" });
}

/** The result of decoding a file. */
interface DecodedFile {
  readonly kind: SourceFormat;
  readonly picture: ByteImage;
  /** The bytes that were decoded: the file, or the sanitised SVG. */
  readonly decoded: Uint8Array;
  /** Pictures in the file; only the first is decoded. */
  readonly pages: number;
}

async function read(bytes: Uint8Array): Promise<DecodedFile> {
  if (bytes.length > LIMITS.source.bytes) {
    throw new SourceUnreadable(
      `the file has ${bytes.length} bytes, at most ${LIMITS.source.bytes} are taken`,
    );
  }
  const kind = sniff(bytes);
  if (kind === undefined) {
    const titles = SOURCE_FORMATS.map(({ title }) => title).join(", ");
    throw new SourceUnreadable(`the file is none of the kinds that are taken: ${titles}`);
  }
  const input = kind.decoder === "svg" ? await drawing(bytes, kind) : { bytes, options: {} };
  const metadata = await header(input.bytes, kind, input.options);
  checkSize(metadata.width, metadata.height);
  if (metadata.depth !== "uchar" && metadata.depth !== "ushort") {
    throw new SourceUnreadable(
      `the ${kind.title} file has samples of the type ${metadata.depth}, expected 8 or 16 bits`,
    );
  }
  try {
    const { data, info } = await conversion(input, metadata).toBuffer({
      resolveWithObject: true,
    });
    const { buffer, byteOffset, length } = data;
    const { width, height, channels } = info;
    const pixels =
      metadata.depth === "uchar"
        ? new Uint8Array(buffer, byteOffset, length)
        : upperBits(new Uint16Array(buffer, byteOffset, length / 2));
    const picture = { width, height, channels: channels as 3 | 4, pixels };
    const { pages = 1 } = metadata;
    return { kind, picture: dropOpaqueAlpha(picture), decoded: input.bytes, pages };
  } catch (cause) {
    throw new SourceUnreadable(`the ${kind.title} file is damaged or cut short`, { cause });
  }
}

/**
 * Decodes a source: PNG, JPEG, WebP, AVIF, TIFF, GIF (first frame) or SVG, rasterised with its longer
 * side at 2048 pixels or more if its layers allow it. Applies the EXIF orientation, converts colours
 * to sRGB by the embedded profile and grey to RGB, and keeps the upper 8 of 16 bits a channel.
 *
 * @param bytes the file, at most 32 MiB
 * @throws {SourceTooLarge} for more pixels than `LIMITS.source` allows, in total or along one side
 * @throws {SourceUnreadable} for an unknown format, a damaged or truncated file, or external references
 */
export async function decode(bytes: Uint8Array): Promise<ByteImage> {
  return (await read(bytes)).picture;
}

/** Returns the part of a file that its picture needs if that decodes to the same pixels, or `given`. */
async function bytesToKeep(given: Uint8Array, { kind, picture, decoded }: DecodedFile) {
  if (kind.decoder === "svg") return isTolerated(given.length - decoded.length) ? given : decoded;
  const part = neededPart(given, kind.decoder);
  if (part === given) return given;
  const again = await read(part).catch(() => null);
  const isSame = again !== null && isDeepStrictEqual(again.picture, picture);
  return isSame ? part : given;
}

/**
 * Decodes a source once. Returns the picture, its sniffed media type, its upright size in pixels, whether
 * any pixel is not opaque, the bytes to keep and their SHA-256. Trailing data and unneeded metadata are
 * dropped if they exceed 64 KiB.
 *
 * @throws what `decode` throws, and {SourceUnreadable} for a file much larger than its pixels
 */
export async function inspect(
  given: Uint8Array,
): Promise<InspectedSource & { readonly picture: ByteImage }> {
  const file = await read(given);
  const { kind, picture, pages } = file;
  const { width, height, channels } = picture;
  const bytes = await bytesToKeep(given, file);
  const most = OVERHEAD_BYTES + PIXEL_BYTES * width * height * pages;
  if (kind.decoder !== "svg" && bytes.length > most) {
    throw new SourceUnreadable(
      `the ${kind.title} file has ${bytes.length} bytes, at most ${most} are taken for ${width} × ${height} pixels`,
    );
  }
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const hasAlpha = channels === 4;
  return { mediaType: kind.mediaType, width, height, hasAlpha, sha256, bytes, picture };
}
