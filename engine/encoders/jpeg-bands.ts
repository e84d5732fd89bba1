/**
 * A baseline JPEG (ITU-T T.81) assembled from bands of rows that sharp encodes one by one. Blocks are
 * coded independently except for DC prediction, which a restart marker resets (§E.1.4). So the
 * entropy-coded bands joined by restart markers contain the same blocks as a single encode.
 */

import { onPaper } from "../image/bands.ts";
import { bytesOf } from "../image/samples.ts";
import type { Size } from "../size.ts";
import { concatBytes, type Encoder } from "./encoder.ts";
import type { IccProfile } from "./icc.ts";
import { jpegHead, MARKER, segment } from "./jpeg-segments.ts";
import { createRowBlocks } from "./row-blocks.ts";

export interface JpegOptions extends Size {
  /** 1…100. */
  readonly quality: number;
  readonly pixelsPerInch: number;
  readonly profile: IccProfile;
  /** Rows of every band but the last, which has the rest; a multiple of `JPEG_ROWS`. */
  readonly rowsPerBand: number;
}

export interface JpegWriter {
  /**
   * Adds the next band, which `encodeJpegBand` has encoded, and returns its bytes. The first band's start with the file
   * header. Throws `RangeError` for a band with other rows.
   */
  add(band: Buffer): Uint8Array;
  end(): Uint8Array;
}

/** Approximate pixels of a band. */
const BAND_PIXELS = 1 << 18;

/** Creates a JPEG encoder for images of any size. Composites alpha on white. */
export function createJpegEncoder(facts: Omit<JpegOptions, "rowsPerBand">): Encoder {
  const { width, height } = facts;
  const rowsPerBand = jpegRows(width);
  const blocks = createRowBlocks(width * 3, rowsPerBand, height);
  const writer = createJpegWriter({ ...facts, rowsPerBand });
  return {
    async band(band) {
      const parts: Uint8Array[] = [];
      for (const block of blocks(bytesOf(onPaper(band)))) {
        parts.push(writer.add(await encodeJpegBand(block, facts)));
      }
      return concatBytes(parts);
    },
    end: () => writer.end(),
  };
}

/** Rows of the largest MCU (§A.2), the one with chroma at half resolution. */
const JPEG_ROWS = 16;

/** Returns the rows of a picture's bands; the last one may have fewer. */
export const jpegRows = (width: number): number =>
  JPEG_ROWS * Math.max(1, Math.floor(BAND_PIXELS / width / JPEG_ROWS));

/** Encodes a band, tightly packed RGB, as a file of its own. */
export async function encodeJpegBand(
  pixels: Uint8Array,
  { width, quality }: Pick<JpegOptions, "width" | "quality">,
): Promise<Buffer> {
  // Loaded with the first JPEG rather than with each thread.
  const { sharp } = await import("../decoders/libvips.ts");
  const { subsampling } = await import("./whole-image.ts");
  return sharp(pixels, { raw: { width, height: pixels.length / (3 * width), channels: 3 } })
    .jpeg({
      quality,
      chromaSubsampling: subsampling(quality),
      // Optimised tables would differ from band to band.
      optimiseCoding: false,
    })
    .toBuffer();
}

/** Returns the most rows of a band: restart intervals count MCUs of 8 × 8 or more in 16 bits (§B.2.4.4). */
export const maxJpegRows = (width: number): number => {
  const units = Math.floor(65535 / Math.ceil(width / 8));
  return Math.floor(units / 2) * JPEG_ROWS;
};

/** Restart markers cycle through RST0…RST7 (§B.1.1.3). */
const RESTARTS = 8;

interface BaselineScan {
  /** Quantisation and Huffman table segments in file order. */
  readonly tables: readonly Buffer[];
  /** The frame header segment (SOF0). */
  readonly frame: Buffer;
  /** The scan header segment (SOS). */
  readonly scanHead: Buffer;
  /** Entropy-coded data, padded to a whole byte. */
  readonly scan: Buffer;
}

/** Splits a JPEG file with a single scan. */
function parseBaselineJpeg(file: Buffer): BaselineScan {
  const tables: Buffer[] = [];
  let frame: Buffer | null = null;
  for (let at = 2; ; ) {
    const marker = file[at + 1];
    const next = at + 2 + file.readUInt16BE(at + 2);
    const whole = file.subarray(at, next);
    if (marker === MARKER.frame) frame = whole;
    else if (marker === MARKER.huffman || marker === MARKER.quantisation) tables.push(whole);
    else if (marker === MARKER.scan) {
      if (frame === null) throw new Error("the encoder returned a scan that is not baseline");
      return { tables, frame, scanHead: whole, scan: file.subarray(next, -2) };
    }
    at = next;
  }
}

/** Returns the number of MCUs (§A.2) of `rows` rows; an MCU spans 8 pixels per sampling factor. */
function mcuCount(frame: Buffer, width: number, rows: number): number {
  const sampling = frame[11];
  return Math.ceil(width / (8 * (sampling >> 4))) * Math.ceil(rows / (8 * (sampling & 15)));
}

/**
 * Creates a JPEG writer. The file is every band from the top, then `end()`.
 * @throws {RangeError} for bands too tall for a restart interval
 */
export function createJpegWriter(options: Omit<JpegOptions, "quality">): JpegWriter {
  const { width, height, rowsPerBand } = options;
  if (rowsPerBand % JPEG_ROWS !== 0 || rowsPerBand > maxJpegRows(width)) {
    throw new RangeError(
      `expected bands of a multiple of ${JPEG_ROWS} rows and at most ${maxJpegRows(width)}, got ${rowsPerBand}`,
    );
  }
  const headOf = ({ tables, frame, scanHead }: BaselineScan) => {
    const whole = Buffer.from(frame);
    whole.writeUInt16BE(height, 5);
    const interval = Buffer.alloc(2);
    interval.writeUInt16BE(mcuCount(frame, width, rowsPerBand));
    return Buffer.concat([
      jpegHead(options.pixelsPerInch, options.profile),
      ...tables,
      whole,
      segment(MARKER.restartInterval, interval),
      scanHead,
    ]);
  };
  let first: BaselineScan | null = null;
  let done = 0;
  let missing = height;
  return {
    add(band) {
      const coded = parseBaselineJpeg(band);
      const rows = Math.min(rowsPerBand, missing);
      const [codedRows, codedWidth] = [5, 7].map((at) => coded.frame.readUInt16BE(at));
      if (missing === 0 || codedRows !== rows || codedWidth !== width) {
        throw new RangeError(
          `expected ${rows} rows of ${width} pixels, got ${codedRows} of ${codedWidth}`,
        );
      }
      missing -= rows;
      const restart = MARKER.restart + ((done + RESTARTS - 1) % RESTARTS);
      done++;
      if (first === null) {
        first = coded;
        return Buffer.concat([headOf(coded), coded.scan]);
      }
      if (Buffer.compare(Buffer.concat(coded.tables), Buffer.concat(first.tables)) !== 0) {
        throw new Error(`band ${done} has different tables than the first`);
      }
      return Buffer.concat([Buffer.of(0xff, restart), coded.scan]);
    },
    end() {
      if (missing > 0) throw new RangeError(`${missing} rows are missing`);
      return Uint8Array.of(0xff, MARKER.end);
    },
  };
}
