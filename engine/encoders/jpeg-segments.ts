/** Segments of JPEG files (ITU-T T.81). */
import type { IccProfile } from "./icc.ts";

export const MARKER = {
  frame: 0xc0,
  huffman: 0xc4,
  restart: 0xd0,
  start: 0xd8,
  end: 0xd9,
  scan: 0xda,
  quantisation: 0xdb,
  restartInterval: 0xdd,
  application: 0xe0,
} as const;

/** Returns a marker segment with its length (§B.1.1.4). */
export function segment(marker: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const head = Buffer.of(0xff, marker, 0, 0);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** Returns the start of a file in a colour space: JFIF, with the resolution in whole dots per inch, and the profile. */
export const jpegHead = (pixelsPerInch: number, profile: IccProfile): Buffer =>
  Buffer.concat([Buffer.of(0xff, MARKER.start), jfif(pixelsPerInch), iccProfile(profile)]);

/** Replaces the start of a file that sharp has written without metadata. */
export function withJpegHead(file: Buffer, pixelsPerInch: number, profile: IccProfile): Buffer {
  const first = 2;
  const rest =
    file[first + 1] === MARKER.application ? first + 2 + file.readUInt16BE(first + 2) : first;
  return Buffer.concat([jpegHead(pixelsPerInch, profile), file.subarray(rest)]);
}

/** JFIF 1.02, no thumbnail. */
function jfif(pixelsPerInch: number): Buffer {
  const content = Buffer.from("JFIF\0\x01\x02\x01\0\0\0\0\0\0", "latin1");
  content.writeUInt16BE(Math.round(pixelsPerInch), 8);
  content.writeUInt16BE(Math.round(pixelsPerInch), 10);
  return segment(MARKER.application, content);
}

/** ICC.1 annex B.4; the profile fits in one segment. */
const iccProfile = ({ bytes }: IccProfile) =>
  segment(MARKER.application + 2, Buffer.from("ICC_PROFILE\0\x01\x01", "latin1"), bytes);
