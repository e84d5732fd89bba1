/** Photographs as people upload them: JPEGs of 4 : 3 with the pixels of `photoLike`. */
import { createHash } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import type { SourceBytes } from "../../engine/recipe/index.ts";
import { cacheFolder } from "../harness/cache-folder.ts";
import { photoLike } from "./photo-like.ts";

/** Width and height of photographs by their megapixels; sources may have up to 50 million pixels. */
export const SIZES = { 2: [1632, 1224], 12: [4000, 3000], 50: [8160, 6120] } as const;
export type Megapixels = keyof typeof SIZES;

export const MEGAPIXELS: readonly Megapixels[] = [2, 12, 50];

/** Of a camera: 12 megapixels take some megabytes. */
const QUALITY = 95;

const DRAWING = new URL("photo-like.ts", import.meta.url);

/**
 * Returns the JPEG of a photograph. It is drawn at its first use and cached under the hash of what
 * draws it and the version of sharp.
 */
export async function photograph(megapixels: Megapixels): Promise<SourceBytes> {
  return asSource(await readFile(await photographFile(megapixels)));
}

/** Returns the path of a photograph's JPEG. */
export async function photographFile(megapixels: Megapixels): Promise<string> {
  const [width, height] = SIZES[megapixels];
  const drawing = createHash("sha256").update(await readFile(fileURLToPath(DRAWING)));
  drawing.update(`${sharp.versions.sharp} ${QUALITY}`);
  const name = `${width}x${height}-${drawing.digest("hex").slice(0, 12)}.jpg`;
  const file = join(await cacheFolder("photographs"), name);
  const isThere = await readFile(file).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    const { pixels } = photoLike(width, height);
    const raw = { width, height, channels: 3 } as const;
    const jpeg = await sharp(pixels, { raw, limitInputPixels: false })
      .jpeg({ quality: QUALITY })
      .toBuffer();
    // Two processes may draw it at the same time.
    const part = `${file}.${process.pid}`;
    await writeFile(part, jpeg);
    await rename(part, file);
  }
  return file;
}

/**
 * Returns a JPEG of the same pixels in other bytes, which a service does not know yet.
 * @param comment fewer than 65534 bytes
 */
export function withComment({ bytes }: SourceBytes, comment: string): SourceBytes {
  const text = Buffer.from(comment);
  const segment = Buffer.from([0xff, 0xfe, 0, 0]);
  // The length counts its own two bytes (ITU-T T.81, B.2.4.5).
  segment.writeUInt16BE(text.length + 2, 2);
  return asSource(Buffer.concat([bytes.subarray(0, 2), segment, text, bytes.subarray(2)]));
}

function asSource(bytes: Uint8Array): SourceBytes {
  return { sha256: createHash("sha256").update(bytes).digest("hex"), bytes };
}
