/** File formats accepted as sources, detected by their first bytes. */

export interface SourceFormat {
  /** Name for people. */
  readonly title: string;
  readonly mediaType: string;
  /** sharp's name for it (`metadata().format`). */
  readonly decoder: string;
  /** Whether a file that begins with `start`, one character per byte, has this format. */
  readonly begins: (start: string) => boolean;
}

/**
 * XML whose first element is `svg`, after an optional byte order mark, processing instructions,
 * comments and a document type. No two alternatives match the same text, so matching is linear.
 */
const SVG_START =
  /^(?:\xef\xbb\xbf)?\s*(?:(?:<\?(?:(?!\?>).)*\?>|<!--(?:(?!-->).)*-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\][^>[]*)?>)\s*)*<(?:[\w.-]+:)?svg[\s/>]/s;

/** A file type box (ISO 14496-12 §4.3) with AVIF among its brands (AV1-AVIF §6). */
const AVIF_START = /^.{4}ftyp(?:avi[fs]|.{8}(?:.{4}){0,15}?avi[fs])/s;

const TIFF_STARTS = ["II*\0", "MM\0*", "II+\0", "MM\0+"];

/**
 * Signatures: PNG (RFC 2083 §3.1), JPEG (ITU-T T.81 B.1.1.3), WebP (RFC 9649 §2.4), TIFF 6.0 §2 and
 * BigTIFF, GIF89a §17.
 */
export const SOURCE_FORMATS: readonly SourceFormat[] = [
  {
    title: "PNG",
    mediaType: "image/png",
    decoder: "png",
    begins: (start) => start.startsWith("\x89PNG\r\n\x1a\n"),
  },
  {
    title: "JPEG",
    mediaType: "image/jpeg",
    decoder: "jpeg",
    begins: (start) => start.startsWith("\xff\xd8\xff"),
  },
  {
    title: "WebP",
    mediaType: "image/webp",
    decoder: "webp",
    begins: (start) => start.startsWith("RIFF") && start.startsWith("WEBP", 8),
  },
  {
    title: "AVIF",
    mediaType: "image/avif",
    decoder: "heif",
    begins: (start) => AVIF_START.test(start),
  },
  {
    title: "TIFF",
    mediaType: "image/tiff",
    decoder: "tiff",
    begins: (start) => TIFF_STARTS.some((mark) => start.startsWith(mark)),
  },
  {
    title: "GIF",
    mediaType: "image/gif",
    decoder: "gif",
    begins: (start) => start.startsWith("GIF87a") || start.startsWith("GIF89a"),
  },
  {
    title: "SVG",
    mediaType: "image/svg+xml",
    decoder: "svg",
    begins: (start) => SVG_START.test(start),
  },
];

/** Returns the format of a file by its first 1024 bytes, or undefined. */
export function sniff(bytes: Uint8Array): SourceFormat | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024));
  const text = start.toString("latin1");
  return SOURCE_FORMATS.find((kind) => kind.begins(text));
}
