/**
 * Decodes the PNGs of levels: 8 bits a channel, RGB or RGBA, not interlaced. A browser's own decoder
 * may convert colours and multiplies them by alpha.
 */
import type { ByteImage } from "../../engine/core.ts";

const SIGNATURE_BYTES = 8;
/** Length, type and checksum of a chunk. */
const CHUNK_BYTES = 12;

/** Returns the picture. Rejects with a TypeError for data that is damaged. */
export async function decodePng(file: Uint8Array<ArrayBuffer>): Promise<ByteImage> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const channels = file[25] === 6 ? 4 : 3;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let at = SIGNATURE_BYTES; at < file.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8));
    if (type === "IDAT") parts.push(file.subarray(at + 8, at + 8 + length));
    at += CHUNK_BYTES + length;
  }
  const inflated = new Blob(parts).stream().pipeThrough(new DecompressionStream("deflate"));
  const filtered = new Uint8Array(await new Response(inflated).arrayBuffer());
  const pixels = unfiltered(filtered, width * channels, height, channels);
  return { width, height, channels, pixels };
}

/**
 * Reverses the filters of rows (W3C PNG 3rd edition, §9.2).
 * @param stride bytes of a row
 * @param step bytes of a pixel
 */
function unfiltered(rows: Uint8Array, stride: number, height: number, step: number): Uint8Array {
  const pixels = new Uint8Array(stride * height);
  let above = new Uint8Array(stride);
  for (let row = 0; row < height; row++) {
    const from = row * (stride + 1) + 1;
    const to = row * stride;
    const filtered = rows.subarray(from, from + stride);
    const into = pixels.subarray(to, to + stride);
    UNFILTER[rows[from - 1]](filtered, above, into, step);
    above = into;
  }
  return pixels;
}

type Unfilter = (row: Uint8Array, above: Uint8Array, into: Uint8Array, step: number) => void;

/** By the number of the filter. What lies left of a row is zero, as are the bytes above the first one. */
const UNFILTER: readonly Unfilter[] = [
  (row, _, into) => into.set(row),
  (row, _, into, step) => {
    into.set(row.subarray(0, step));
    for (let at = step; at < row.length; at++) into[at] = row[at] + into[at - step];
  },
  (row, above, into) => {
    for (let at = 0; at < row.length; at++) into[at] = row[at] + above[at];
  },
  (row, above, into, step) => {
    for (let at = 0; at < step; at++) into[at] = row[at] + (above[at] >> 1);
    for (let at = step; at < row.length; at++) {
      into[at] = row[at] + ((into[at - step] + above[at]) >> 1);
    }
  },
  (row, above, into, step) => {
    for (let at = 0; at < step; at++) into[at] = row[at] + above[at];
    for (let at = step; at < row.length; at++) {
      into[at] = row[at] + paeth(into[at - step], above[at], above[at - step]);
    }
  },
];

function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft;
  const ofLeft = Math.abs(estimate - left);
  const ofUp = Math.abs(estimate - up);
  const ofUpLeft = Math.abs(estimate - upLeft);
  if (ofLeft <= ofUp && ofLeft <= ofUpLeft) return left;
  return ofUp <= ofUpLeft ? up : upLeft;
}
