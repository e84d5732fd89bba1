/** Compresses the bands of a picture of true colours in any order. */
import { bandBytes, bandRows } from "../../image/bands.ts";
import { bytesOf, partOf, type SampledImage } from "../../image/samples.ts";
import { newBytes } from "../../reused-array.ts";
import { BandDeflater, type DeflatedBand } from "./band.ts";
import { DEFAULT_LEVEL } from "./rows.ts";

/** Returns the number of a picture's bands. */
export const bandCount = ({ width, height }: SampledImage): number =>
  Math.ceil(height / bandRows(width, height, 0));

/**
 * Compresses a band, counted from the top, to the bytes that it has when all are compressed in turn. They have a buffer of
 * their own, which can go to another thread.
 */
export function compressBand(picture: SampledImage, band: number): DeflatedBand {
  const { width, height, alpha } = picture;
  const channels = alpha === null ? 3 : 4;
  const stride = width * channels;
  const rows = bandRows(width, height, 0);
  const bytes = (first: number, count: number, allocate = newBytes) =>
    bytesOf(partOf(picture, first * width, (first + count) * width), allocate);
  const rowAt = (row: number) => (row < 0 ? new Uint8Array(stride) : bytes(row, 1));
  const deflater = new BandDeflater(stride, channels, DEFAULT_LEVEL);
  const first = band * rows;
  if (band > 0) {
    deflater.continueBelow(rowAt(first - 1), () => ({
      bytes: bytes(first - rows, rows),
      above: rowAt(first - rows - 1),
    }));
  }
  const compressed = deflater.deflate(bytes(first, Math.min(rows, height - first), bandBytes));
  return { ...compressed, deflated: new Uint8Array(compressed.deflated) };
}
