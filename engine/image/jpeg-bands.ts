/**
 * A JPEG (ITU-T T.81, baseline) made of bands of rows that sharp encodes one by one. A picture's
 * blocks are coded apart from each other but for one number, the mean of the block before, and a
 * restart marker makes decoders forget that too (§E.1.4). So the coded bands, one after the other
 * with markers between, are the coded picture: the very blocks that one encode would have made.
 */
import { subsampling } from "./formats.ts";
import type { IccProfile } from "./icc.ts";
import { sharp } from "./libvips.ts";

export interface JpegOptions {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** 1…100. */
  readonly quality: number;
  readonly pixelsPerInch: number;
  readonly profile: IccProfile;
  /** All bands have so many but the last, which has the rest: a multiple of `JPEG_ROWS`. */
  readonly rowsPerBand: number;
}

export interface JpegWriter {
  /** The next band: RGB, tightly packed. The first one's bytes begin with the file's head. */
  band(rows: Uint8Array): Promise<Uint8Array>;
  end(): Uint8Array;
}

/** Rows of the largest unit that is coded as one, with colours at half resolution. */
export const JPEG_ROWS = 16;

/** A restart interval has 16 bits (§B.2.4.4). Units of 8 × 8 are the smallest. */
export const mostJpegRows = (width: number): number => {
  const units = Math.floor(65535 / Math.ceil(width / 8));
  return Math.floor(units / 2) * JPEG_ROWS;
};

const MARKER = {
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

/** Markers that come around in turn (§B.1.1.3). */
const RESTARTS = 8;

/** A marker segment with its length (§B.1.1.4). */
function segment(marker: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const head = Buffer.of(0xff, marker, 0, 0);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

interface BaselineScan {
  /** Quantisation and Huffman tables and the frame, whole segments in their order. */
  readonly tables: readonly Buffer[];
  readonly frame: Buffer;
  /** The scan's head as a whole segment. */
  readonly scanHead: Buffer;
  /** The coded blocks, filled up to a whole byte. */
  readonly scan: Buffer;
}

/** Takes an encoder's file apart; one picture with one scan. */
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
      if (frame === null) throw new Error("the encoder gave a scan that is not baseline");
      return { tables, frame, scanHead: whole, scan: file.subarray(next, -2) };
    }
    at = next;
  }
}

/** JFIF 1.02: whole dots per inch, no thumbnail. */
function jfif(pixelsPerInch: number): Buffer {
  const content = Buffer.from("JFIF\0\x01\x02\x01\0\0\0\0\0\0", "latin1");
  content.writeUInt16BE(Math.round(pixelsPerInch), 8);
  content.writeUInt16BE(Math.round(pixelsPerInch), 10);
  return segment(MARKER.application, content);
}

/** ICC.1 annex B.4; the profile fits into one segment. */
const iccProfile = ({ bytes }: IccProfile) =>
  segment(MARKER.application + 2, Buffer.from("ICC_PROFILE\0\x01\x01", "latin1"), bytes);

/** Units that are coded as one (§A.2): of the first component's sampling factors, 8 pixels each. */
function unitsOf(frame: Buffer, width: number, rows: number): number {
  const sampling = frame[11];
  return Math.ceil(width / (8 * (sampling >> 4))) * Math.ceil(rows / (8 * (sampling & 15)));
}

/**
 * Starts a JPEG. Put every `band(rows)` from the top and `end()` one after the other. The same bands
 * give the same bytes.
 * @throws {RangeError} for bands whose rows no restart interval can count; from `band` for other rows
 */
export function createJpegWriter(options: JpegOptions): JpegWriter {
  const { width, height, quality, rowsPerBand } = options;
  if (rowsPerBand % JPEG_ROWS !== 0 || rowsPerBand > mostJpegRows(width)) {
    throw new RangeError(
      `expected bands of a multiple of ${JPEG_ROWS} rows and at most ${mostJpegRows(width)}, got ${rowsPerBand}`,
    );
  }
  const encode = async (pixels: Uint8Array, rows: number) => {
    const file = await sharp(pixels, { raw: { width, height: rows, channels: 3 } })
      .jpeg({
        quality,
        chromaSubsampling: subsampling(quality),
        // Tables of the picture's own would differ from band to band.
        optimiseCoding: false,
      })
      .toBuffer();
    return parseBaselineJpeg(file);
  };
  const headOf = ({ tables, frame, scanHead }: BaselineScan) => {
    const whole = Buffer.from(frame);
    whole.writeUInt16BE(height, 5);
    const interval = Buffer.alloc(2);
    interval.writeUInt16BE(unitsOf(frame, width, rowsPerBand));
    return Buffer.concat([
      Buffer.of(0xff, MARKER.start),
      jfif(options.pixelsPerInch),
      iccProfile(options.profile),
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
    async band(pixels) {
      const rows = Math.min(rowsPerBand, missing);
      if (missing === 0 || pixels.length !== rows * width * 3) {
        throw new RangeError(
          `expected ${rows} rows of ${width} pixels, got ${pixels.length} bytes`,
        );
      }
      missing -= rows;
      const coded = await encode(pixels, rows);
      const restart = MARKER.restart + ((done + RESTARTS - 1) % RESTARTS);
      done++;
      if (first === null) {
        first = coded;
        return Buffer.concat([headOf(coded), coded.scan]);
      }
      if (Buffer.compare(Buffer.concat(coded.tables), Buffer.concat(first.tables)) !== 0) {
        throw new Error(`band ${done} was coded with other tables than the first`);
      }
      return Buffer.concat([Buffer.of(0xff, restart), coded.scan]);
    },
    end() {
      if (missing > 0) throw new RangeError(`${missing} rows are missing`);
      return Uint8Array.of(0xff, MARKER.end);
    },
  };
}
