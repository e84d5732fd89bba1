/**
 * Sources: from a file's bytes to pixels, with everything that could be too much refused from the
 * header, before any pixel is decoded.
 */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Metadata, Sharp, SharpOptions } from "sharp";
import type { InspectedSource } from "../door.ts";
import { SourceTooLarge, SourceUnreadable } from "../errors.ts";
// Not from the whole recipe: a codec process starts in a third of the time.
import { LIMITS } from "../recipe/limits.ts";
import { SOURCE_FORMATS, type SourceFormat, sniff } from "./kinds.ts";
import { sharp } from "./libvips.ts";
import { isTolerated, neededPart } from "./needed-part.ts";
import type { DecodedImage } from "./picture.ts";

/** Pixels that all pictures embedded in one drawing may have together; each costs the rasteriser 12 bytes. */
const SVG_EMBEDDED_PIXELS = 16_000_000;

/**
 * Bytes that a file may have beside its pixels, mostly profiles, and for each of them: twice what 16 bits
 * and alpha need uncompressed, as a TIFF may hold smaller copies of itself.
 */
const OVERHEAD_BYTES = 4 * 1024 * 1024;
const PIXEL_BYTES = 16;

/** Pixels per inch at which sharp draws an SVG at its own size, and the most that it takes. */
const SVG_DENSITY = { own: 72, maximum: 100_000 };

/** Reads the header alone. libvips' own limit is lifted, so that ours can tell the size. */
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

/** What libvips decodes, and how. */
interface DecoderInput {
  readonly bytes: Uint8Array;
  readonly options: SharpOptions;
}

/** A drawing that is ready for the rasteriser, and the density that it is drawn with. */
async function drawing(given: Uint8Array, kind: SourceFormat): Promise<DecoderInput> {
  // Loaded where it is needed: a parser of CSS takes a while.
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

/** Refuses what has too many pixels in all or on one side. */
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

/** `picture` without its alpha channel when that is opaque everywhere. */
function withoutIdleAlpha(picture: DecodedImage): DecodedImage {
  const { width, height, pixels } = picture;
  if (picture.channels === 3) return picture;
  const opaque = picture.bits === 16 ? 65535 : 255;
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== opaque) return picture;
  const count = width * height;
  const colours = picture.bits === 16 ? new Uint16Array(count * 3) : new Uint8Array(count * 3);
  for (let from = 0, to = 0; to < colours.length; from += 4, to += 3) {
    colours[to] = pixels[from];
    colours[to + 1] = pixels[from + 1];
    colours[to + 2] = pixels[from + 2];
  }
  return { ...picture, channels: 3, pixels: colours };
}

/** The conversion to upright sRGB with 8 or 16 bits. */
function conversion({ bytes, options }: DecoderInput, metadata: Metadata): Sharp {
  const image = sharp(bytes, {
    ...options,
    // "error" refuses cut files of every kind; "warning" would also refuse JPEGs with stray bytes
    // between segments, which cameras write and every viewer shows.
    failOn: "error",
    limitInputPixels: LIMITS.source.pixels,
    autoOrient: true,
  });
  if (metadata.depth === "uchar") return image.toColourspace("srgb").raw();
  // sharp takes 16-bit RGB with a profile through Display P3, and back only if it is asked to.
  const profiled = metadata.space === "rgb16" && metadata.hasProfile;
  return (profiled ? image.withIccProfile("srgb") : image)
    .toColourspace("rgb16")
    .raw({ depth: "ushort" });
}

/** A file that was read. */
interface DecodedFile {
  readonly kind: SourceFormat;
  readonly picture: DecodedImage;
  /** What was decoded: the file, or the drawing that was left of it. */
  readonly decoded: Uint8Array;
  /** Pictures in the file, of which the first one counts. */
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
    const size = { width, height, channels: channels as 3 | 4 };
    const picture: DecodedImage =
      metadata.depth === "uchar"
        ? { ...size, bits: 8, pixels: new Uint8Array(buffer, byteOffset, length) }
        : { ...size, bits: 16, pixels: new Uint16Array(buffer, byteOffset, length / 2) };
    const { pages = 1 } = metadata;
    return { kind, picture: withoutIdleAlpha(picture), decoded: input.bytes, pages };
  } catch (cause) {
    throw new SourceUnreadable(`the ${kind.title} file is damaged or cut short`, { cause });
  }
}

/**
 * Decodes a source: PNG, JPEG, WebP, AVIF, TIFF, GIF (first frame), or SVG, rasterised with its
 * longer side at 2048 pixels or more where its layers allow it. The EXIF orientation is applied, colours are converted
 * to sRGB by the embedded profile, grey becomes RGB, more than 8 bits become 16.
 *
 * @param bytes the file, at most 32 MiB
 * @throws {SourceTooLarge} more pixels than `LIMITS.source` allows, in all or on one side, read from the header
 * @throws {SourceUnreadable} no picture, another kind, damaged, cut short, or with outside references
 */
export async function decode(bytes: Uint8Array): Promise<DecodedImage> {
  return (await read(bytes)).picture;
}

/** The part of a file that its picture needs, once that was tried; the very same bytes where that is nearly all. */
async function keptPart(given: Uint8Array, { kind, picture, decoded }: DecodedFile) {
  if (kind.decoder === "svg") return isTolerated(given.length - decoded.length) ? given : decoded;
  const part = neededPart(given, kind.decoder);
  if (part === given) return given;
  const again = await read(part).catch(() => null);
  const isSame = again !== null && isDeepStrictEqual(again.picture, picture);
  return isSame ? part : given;
}

/**
 * Decodes a source once and returns what it is: the sniffed media type, the upright size in pixels,
 * whether any pixel is not opaque, the bytes to be kept and their hash. What follows a picture's end
 * and metadata that it does not need are not kept where they are more than 64 KiB.
 *
 * @throws what `decode` throws; {SourceUnreadable} for a file much larger than its pixels
 */
export async function inspect(given: Uint8Array): Promise<InspectedSource> {
  const file = await read(given);
  const { kind, picture, pages } = file;
  const { width, height, channels } = picture;
  const bytes = await keptPart(given, file);
  const most = OVERHEAD_BYTES + PIXEL_BYTES * width * height * pages;
  if (kind.decoder !== "svg" && bytes.length > most) {
    throw new SourceUnreadable(
      `the ${kind.title} file has ${bytes.length} bytes, at most ${most} are taken for ${width} × ${height} pixels`,
    );
  }
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { mediaType: kind.mediaType, width, height, hasAlpha: channels === 4, sha256, bytes };
}
