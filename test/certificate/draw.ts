/** Drawn pictures for certificates, and the claims about them. */
import type { Claim } from "../../engine/certificate/certificate.ts";
import { certify } from "../../engine/certificate/certify.ts";
import type { ByteImage } from "../../engine/image/picture.ts";
import type { GroupName } from "../../engine/index.ts";

/** Certifies a picture with a claimed group. */
export const check = (image: ByteImage, group: GroupName, claim: Partial<Claim> = {}) =>
  certify(image, {
    group,
    lattice: { ratio: 1, repeat: "straight" },
    hexCells: "7x4",
    ...claim,
  });

/** Draws a picture from a function of each pixel's colour. */
export function draw(
  width: number,
  height: number,
  colour: (x: number, y: number) => readonly number[],
): ByteImage {
  const pixels: number[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.push(...colour(x, y));
  }
  const channels = (pixels.length / width / height) as 3 | 4;
  return { width, height, channels, pixels: Uint8Array.from(pixels) };
}

/** Draws a grey picture from a function of each pixel's value. */
export const grey = (width: number, height: number, value: (x: number, y: number) => number) =>
  draw(width, height, (x, y) => Array(3).fill(value(x, y)));

/** Pixel (x, y) of a repeating picture. */
export function pixelAt({ width, height, channels, pixels }: ByteImage, x: number, y: number) {
  const at = ((y % height) * width + (x % width)) * channels;
  return [...pixels.subarray(at, at + channels)];
}
