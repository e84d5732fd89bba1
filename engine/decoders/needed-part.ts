/**
 * Strips trailing data and metadata other than colour, resolution and orientation from source files.
 * Files of these formats are lists of sections, and unneeded sections are removed. TIFF and AVIF refer
 * to sections by offset, so only an AVIF's tail can be removed.
 */

/** Bytes `start` … `end − 1` of a file. */
interface FileSection {
  readonly start: number;
  readonly end: number;
  readonly isNeeded: boolean;
}

/** Whether so many unneeded bytes may stay; most files keep their hash that way. */
export const isTolerated = (bytes: number) => bytes <= 64 * 1024;

/** PNG chunks (RFC 2083 and extensions) that affect the picture. */
const PNG_CHUNKS = new Set(
  "IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP sBIT pHYs eXIf".split(" "),
);

/** WebP chunks (RFC 9649 §2.7), animation frames included. */
const WEBP_CHUNKS = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP", "EXIF"]);

/** AVIF boxes (ISO 14496-12) that are needed; everything after the last one is not. */
const AVIF_BOXES = new Set(["ftyp", "meta", "mdat", "moov", "moof", "idat"]);

const SIGNATURE_BYTES = 8;

function* pngParts(file: Buffer): Generator<FileSection> {
  yield { start: 0, end: SIGNATURE_BYTES, isNeeded: true };
  for (let at = SIGNATURE_BYTES; at + 12 <= file.length; ) {
    const type = file.toString("latin1", at + 4, at + 8);
    const end = at + 12 + file.readUInt32BE(at);
    yield { start: at, end, isNeeded: PNG_CHUNKS.has(type) };
    if (type === "IEND") return;
    at = end;
  }
}

/** JPEG markers (ITU-T T.81 B.1.1.3). */
const JPEG = { start: 0xd8, end: 0xd9, scan: 0xda, firstApp: 0xe0, lastApp: 0xef, comment: 0xfe };

/** Needed application segments: JFIF, Exif, ICC (ICC.1 annex B.4), Adobe's colour transform. */
const JPEG_APPS: Readonly<Record<number, string>> = {
  224: "JFIF\0",
  225: "Exif\0",
  226: "ICC_PROFILE\0",
  238: "Adobe",
};

function* jpegParts(file: Buffer): Generator<FileSection> {
  yield { start: 0, end: 2, isNeeded: true };
  for (let at = 2; at + 4 <= file.length; ) {
    const marker = file[at + 1];
    if (file[at] !== 0xff) return;
    if (marker === JPEG.end) {
      yield { start: at, end: at + 2, isNeeded: true };
      return;
    }
    const segment = at + 2 + file.readUInt16BE(at + 2);
    const end = marker === JPEG.scan ? endOfScan(file, segment) : segment;
    const isApp = marker >= JPEG.firstApp && marker <= JPEG.lastApp;
    const name = JPEG_APPS[marker];
    const isKnown =
      name !== undefined && file.toString("latin1", at + 4, at + 4 + name.length) === name;
    yield { start: at, end, isNeeded: isApp ? isKnown : marker !== JPEG.comment };
    at = end;
  }
  // A file cut between scan and EOI may still end in EOI: keep it.
  if (file.readUInt16BE(file.length - 2) === 0xff00 + JPEG.end) {
    yield { start: file.length - 2, end: file.length, isNeeded: true };
  }
}

/** Returns the offset of the next marker that is neither a restart nor a stuffed byte (§B.1.1.5). */
function endOfScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at !== -1; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return file.length;
}

function* webpParts(file: Buffer): Generator<FileSection> {
  const last = Math.min(file.length, 8 + file.readUInt32LE(4));
  yield { start: 0, end: 12, isNeeded: true };
  for (let at = 12; at + 8 <= last; ) {
    const size = file.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    yield { start: at, end, isNeeded: WEBP_CHUNKS.has(file.toString("latin1", at, at + 4)) };
    at = end;
  }
}

/** A GIF up to the end of its first picture (GIF89a §17–27); `finish` adds the trailer. */
function* gifParts(file: Buffer): Generator<FileSection> {
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  const endOfBlocks = (from: number) => {
    let at = from;
    while (at < file.length && file[at] !== 0) at += file[at] + 1;
    return at + 1;
  };
  const head = 13 + tableBytes(file[10]);
  yield { start: 0, end: head, isNeeded: true };
  for (let at = head; at < file.length; ) {
    if (file[at] === 0x2c) {
      const end = endOfBlocks(at + 11 + tableBytes(file[at + 9]));
      yield { start: at, end, isNeeded: true };
      return;
    }
    if (file[at] !== 0x21) return;
    const end = endOfBlocks(at + 2);
    // Graphic control extensions define transparency.
    yield { start: at, end, isNeeded: file[at + 1] === 0xf9 };
    at = end;
  }
}

function* avifParts(file: Buffer): Generator<FileSection> {
  let end = 0;
  for (let at = 0; at + 8 <= file.length; ) {
    const short = file.readUInt32BE(at);
    const long =
      short === 1 && at + 16 <= file.length ? Number(file.readBigUInt64BE(at + 8)) : short;
    const next = short === 0 ? file.length : at + Math.max(8, long);
    if (AVIF_BOXES.has(file.toString("latin1", at + 4, at + 8))) end = next;
    at = next;
  }
  yield { start: 0, end, isNeeded: true };
}

interface ContainerFormat {
  readonly parts: (file: Buffer) => Iterable<FileSection>;
  /** Repairs sizes and flags that depend on removed sections. */
  readonly finish?: (file: Buffer) => Buffer;
}

const WEBP_XMP = 0x04;

const CONTAINER_FORMATS: Readonly<Record<string, ContainerFormat>> = {
  png: { parts: pngParts },
  jpeg: { parts: jpegParts },
  webp: {
    parts: webpParts,
    finish(file) {
      file.writeUInt32LE(file.length - 8, 4);
      if (file.toString("latin1", 12, 16) === "VP8X") file[20] &= ~WEBP_XMP;
      return file;
    },
  },
  gif: { parts: gifParts, finish: (file) => Buffer.concat([file, Buffer.of(0x3b)]) },
  heif: { parts: avifParts },
};

/**
 * Returns a file without the sections that its picture does not need, or the same object if these are
 * few or the format is unknown.
 *
 * @param decoder the format's name, as in `SourceFormat`
 */
export function neededPart(bytes: Uint8Array, decoder: string): Uint8Array {
  const format = CONTAINER_FORMATS[decoder];
  if (format === undefined) return bytes;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // Merges neighbours: a file may have millions of sections.
  const kept: { readonly start: number; end: number }[] = [];
  for (const { start, end, isNeeded } of format.parts(file)) {
    const last = kept.at(-1);
    if (!isNeeded) continue;
    if (last?.end === start) last.end = end;
    else kept.push({ start, end });
  }
  const whole = Buffer.concat(kept.map(({ start, end }) => file.subarray(start, end)));
  if (isTolerated(file.length - whole.length)) return bytes;
  return format.finish?.(whole) ?? whole;
}
