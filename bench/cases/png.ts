/** Case 3: PNG encoding of a picture with a photograph's statistics. */
import { decode, encode } from "fast-png";
import sharp, { type PngOptions } from "sharp";
import { createOrderedConcurrency } from "../../engine/encoders/ordered-concurrency.ts";
import { createPngWriter } from "../../engine/encoders/png/png.ts";
import { bandRows } from "../../engine/image/bands.ts";
import type { BenchCase, Contender, PreparedCase } from "../harness/case.ts";
import { assertSamePixels } from "../harness/compare-pixels.ts";
import { timed } from "../harness/timed.ts";
import { photoLike, type RgbPicture } from "../pictures/photo-like.ts";

const SIZE = 4096;
const THREADS = 2;

type Encoder = (picture: RgbPicture) => Uint8Array | Promise<Uint8Array>;

const ENCODERS: readonly { name: string; encoder: Encoder }[] = [
  { name: "orbifold", encoder: ourEncoder },
  { name: "sharp, level 6", encoder: sharpEncoder({ compressionLevel: 6 }) },
  {
    name: "sharp, level 2 adaptive",
    encoder: sharpEncoder({ compressionLevel: 2, adaptiveFiltering: true }),
  },
  { name: "fast-png", encoder: fastPngEncoder },
];

export const png: BenchCase = {
  name: "png",
  number: 3,
  title: `PNG of a photo-like RGB picture of ${SIZE}² with grain, bytes to bytes, up to ${THREADS} threads`,
  scope: "kernel figure",
  fairness:
    "All encode the same bytes in memory to a whole file in memory, and fast-png decodes all files back to those bytes. fast-png works in this thread alone; so does ours on a picture like this one, where matching does not pay; sharp may use two of its own, to which it copies. The machine has two cores or more. Smaller files cost time: read both columns.",
  metrics: [
    { name: "ms", unit: "ms", better: "lower" },
    { name: "rate", unit: "MB/s", better: "higher" },
    { name: "size", unit: "file MB", better: "lower" },
  ],
  targets: [
    { metric: "ms", peer: "fast-png", must: 4 },
    { metric: "ms", peer: "sharp, level 6", must: 1.5, aim: 3 },
    { metric: "size", peer: "fast-png", must: 1 },
    { metric: "size", peer: "sharp, level 6", must: 1 },
  ],
  prepare,
};

async function prepare(): Promise<PreparedCase> {
  sharp.concurrency(THREADS);
  const picture = photoLike(SIZE);
  return {
    contenders: ENCODERS.map((entry, index) => contender(entry, index === 0, picture)),
    notes: [],
    versions: {},
    async check() {
      for (const { name, encoder } of ENCODERS) {
        const { data } = decode(await encoder(picture), { checkCrc: true });
        assertSamePixels(name, data, picture.pixels, { most: 0, mean: 0 });
      }
    },
    close: async () => undefined,
  };
}

function contender(
  { name, encoder }: (typeof ENCODERS)[number],
  ours: boolean,
  picture: RgbPicture,
): Contender {
  return {
    name,
    ours,
    async run() {
      let file: Uint8Array = new Uint8Array();
      const ms = await timed(async () => {
        file = await encoder(picture);
      });
      return { ms, rate: picture.pixels.length / 1000 / ms, size: file.length / 1e6 };
    },
  };
}

/** Encodes in bands of the height and concurrency of a render. */
async function ourEncoder({ width, height, pixels }: RgbPicture): Promise<Uint8Array> {
  const writer = createPngWriter({ width, height, channels: 3, pixelsPerInch: 300 });
  const bands = createOrderedConcurrency<Uint8Array>();
  const parts = [writer.head()];
  const bandBytes = bandRows(width, height, 0) * width * 3;
  for (let at = 0; at < pixels.length; at += bandBytes) {
    const rows = pixels.subarray(at, at + bandBytes);
    parts.push(...(await bands.push(writer.band(rows), rows.length)));
  }
  return Buffer.concat([...parts, ...(await bands.flush()), writer.end()]);
}

function sharpEncoder(options: PngOptions): Encoder {
  return ({ width, height, pixels }) =>
    sharp(pixels, { raw: { width, height, channels: 3 } })
      .png(options)
      .toBuffer();
}

function fastPngEncoder({ width, height, pixels }: RgbPicture): Uint8Array {
  return encode({ width, height, channels: 3, depth: 8, data: pixels });
}
