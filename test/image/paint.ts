/** Packed pictures for tests. */
import type { ByteImage, PackedImage } from "../../engine/image/picture.ts";
import { createResampler } from "../../engine/image/resample.ts";
import { SRGB8_TO_LINEAR } from "../../engine/image/transfer.ts";

/** A picture by a function of the pixel, which returns the bytes of its channels. */
export function paint(
  width: number,
  height: number,
  colour: (x: number, y: number) => readonly number[],
): ByteImage {
  const values = Array.from({ length: width * height }, (_, at) =>
    colour(at % width, Math.floor(at / width)),
  ).flat();
  const channels = values.length === 3 * width * height ? 3 : 4;
  return { width, height, channels, pixels: Uint8Array.from(values) };
}

export function packed({ width, height, channels, pixels }: ByteImage): PackedImage {
  const pixel = (at: number) => at * channels;
  const colour = new Float32Array(width * height);
  for (let at = 0; at < colour.length; at++) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(pixel(at), pixel(at) + 3);
    colour[at] = 65536 * red + 256 * green + blue;
  }
  const alpha = channels === 4 ? Uint8Array.from(colour, (_, at) => pixels[4 * at + 3] ?? 0) : null;
  return { width, height, colour, alpha };
}

/** Red, green and blue 0…255 of a packed colour. */
export function bytesOfColour(colour: number): readonly [number, number, number] {
  return [Math.floor(colour / 65536), Math.floor(colour / 256) % 256, colour % 256];
}

/** Linear light of the red, green and blue of all pixels. */
export const lightOf = ({ colour }: PackedImage): number[] =>
  [...colour].flatMap((value) => bytesOfColour(value).map((byte) => SRGB8_TO_LINEAR[byte] ?? 0));

/** Shrinks a picture in one part. */
export function shrink(picture: PackedImage, ratio: number): PackedImage {
  const width = Math.ceil(picture.width / ratio);
  const height = Math.ceil(picture.height / ratio);
  const into = packed(
    paint(width, height, () => (picture.alpha === null ? [0, 0, 0] : [0, 0, 0, 0])),
  );
  const whole = { x: 0, y: 0, width, height };
  createResampler(picture, ratio, whole).run(whole, into);
  return into;
}
