/**
 * Sources: from a file's bytes to pixels, with everything that could be too much refused from the
 * header, before any pixel is decoded.
 */
import type { Metadata, Sharp, SharpOptions } from "sharp";
import type { SourceFacts } from "../door.ts";
import { SourceTooLarge, SourceUnreadable } from "../errors.ts";
import { LIMITS } from "../recipe.ts";
import { KINDS, type Kind, sniff } from "./kinds.ts";
import { sharp } from "./libvips.ts";
import type { Picture } from "./picture.ts";
import { embeddedPictures, SVG_EMBEDDED_PIXELS, SVG_SIDE } from "./svg.ts";

/**
 * Seconds after which decoding is given up, far above what the largest picture takes. Only drawings
 * made to be slow come near it; libvips looks at the clock between tiles of 2048 pixels.
 */
const PATIENCE = 60;

/** Pixels per inch at which sharp draws an SVG at its own size, and the most that it takes. */
const SVG_DENSITY = { own: 72, maximum: 100_000 };

/** Reads the header alone. libvips' own limit is lifted, so that ours can tell the size. */
async function header(bytes: Uint8Array, kind: Kind, options: SharpOptions): Promise<Metadata> {
  try {
    const metadata = await sharp(bytes, { ...options, limitInputPixels: false }).metadata();
    if (metadata.format === kind.decoder) return metadata;
  } catch (cause) {
    const what = `the ${kind.title} file is damaged or cut short`;
    throw new SourceUnreadable(`${what}: no size can be read`, { cause });
  }
  throw new SourceUnreadable(`the ${kind.title} file holds something else`);
}

/** Options that rasterise a drawing with its longer side at `SVG_SIDE` pixels, or larger ones as they are. */
async function svgOptions(bytes: Uint8Array, kind: Kind): Promise<SharpOptions> {
  let embedded = 0;
  for (const picture of embeddedPictures(bytes)) {
    const { width, height } = await header(picture, embeddedKind(picture), {});
    embedded += width * height;
  }
  if (embedded > SVG_EMBEDDED_PIXELS) {
    throw new SourceUnreadable(
      `the SVG holds pictures of ${embedded} pixels together, at most ${SVG_EMBEDDED_PIXELS} are taken`,
    );
  }
  const { width, height } = await header(bytes, kind, {});
  const enlargement = Math.max(1, SVG_SIDE / Math.max(width, height));
  return { density: Math.min(SVG_DENSITY.own * enlargement, SVG_DENSITY.maximum) };
}

function embeddedKind(bytes: Uint8Array): Kind {
  const kind = sniff(bytes);
  if (kind === undefined || kind.decoder === "svg") {
    throw new SourceUnreadable("the SVG holds an embedded picture that cannot be read");
  }
  return kind;
}

/** `picture` without its alpha channel when that is opaque everywhere. */
function withoutIdleAlpha(picture: Picture): Picture {
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
function conversion(bytes: Uint8Array, metadata: Metadata, options: SharpOptions): Sharp {
  const image = sharp(bytes, {
    ...options,
    // "error" refuses cut files of every kind; "warning" would also refuse JPEGs with stray bytes
    // between segments, which cameras write and every viewer shows.
    failOn: "error",
    limitInputPixels: LIMITS.source.pixels,
    autoOrient: true,
  }).timeout({ seconds: PATIENCE });
  if (metadata.depth === "uchar") return image.toColourspace("srgb").raw();
  // sharp takes 16-bit RGB with a profile through Display P3, and back only if it is asked to.
  const profiled = metadata.space === "rgb16" && metadata.hasProfile;
  return (profiled ? image.withIccProfile("srgb") : image)
    .toColourspace("rgb16")
    .raw({ depth: "ushort" });
}

async function read(bytes: Uint8Array): Promise<{ kind: Kind; picture: Picture }> {
  if (bytes.length > LIMITS.source.bytes) {
    throw new SourceUnreadable(
      `the file has ${bytes.length} bytes, at most ${LIMITS.source.bytes} are taken`,
    );
  }
  const kind = sniff(bytes);
  if (kind === undefined) {
    const titles = KINDS.map(({ title }) => title).join(", ");
    throw new SourceUnreadable(`the file is none of the kinds that are taken: ${titles}`);
  }
  const options = kind.decoder === "svg" ? await svgOptions(bytes, kind) : {};
  const metadata = await header(bytes, kind, options);
  if (metadata.width * metadata.height > LIMITS.source.pixels) {
    throw new SourceTooLarge(metadata.width, metadata.height, LIMITS.source.pixels);
  }
  if (metadata.depth !== "uchar" && metadata.depth !== "ushort") {
    throw new SourceUnreadable(
      `the ${kind.title} file has samples of the type ${metadata.depth}, expected 8 or 16 bits`,
    );
  }
  try {
    const { data, info } = await conversion(bytes, metadata, options).toBuffer({
      resolveWithObject: true,
    });
    const { buffer, byteOffset, length } = data;
    const { width, height, channels } = info;
    const size = { width, height, channels: channels as 3 | 4 };
    const picture: Picture =
      metadata.depth === "uchar"
        ? { ...size, bits: 8, pixels: new Uint8Array(buffer, byteOffset, length) }
        : { ...size, bits: 16, pixels: new Uint16Array(buffer, byteOffset, length / 2) };
    return { kind, picture: withoutIdleAlpha(picture) };
  } catch (cause) {
    throw new SourceUnreadable(
      `the ${kind.title} file is damaged or cut short, or takes too long to decode`,
      { cause },
    );
  }
}

/**
 * Decodes a source: PNG, JPEG, WebP, AVIF, TIFF, GIF (first frame), or SVG, rasterised with its
 * longer side at `SVG_SIDE` pixels or more. The EXIF orientation is applied, colours are converted
 * to sRGB by the embedded profile, grey becomes RGB, more than 8 bits become 16.
 *
 * @param bytes the file, at most 32 MiB
 * @throws {SourceTooLarge} more than 50 megapixels, read from the header
 * @throws {SourceUnreadable} no picture, another kind, damaged, cut short, or with outside references
 */
export async function decode(bytes: Uint8Array): Promise<Picture> {
  return (await read(bytes)).picture;
}

/**
 * Decodes a source once and tells what it is: the sniffed media type, the upright size in pixels,
 * whether any pixel is not opaque.
 *
 * @throws what `decode` throws
 */
export async function inspect(bytes: Uint8Array): Promise<SourceFacts> {
  const { kind, picture } = await read(bytes);
  const { width, height, channels } = picture;
  return { mediaType: kind.mediaType, width, height, hasAlpha: channels === 4 };
}
