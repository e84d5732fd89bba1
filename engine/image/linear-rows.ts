/** Rows of linear light, read one at a time from decoded pixels or from linear values. */
import type { Size } from "../size.ts";
import type { DecodedImage, LinearImage } from "./picture.ts";
import { SRGB8_TO_LINEAR, srgb16ToLinear } from "./transfer.ts";

export interface LinearRows extends Size {
  readonly channels: 3 | 4;
  /**
   * Writes the pixels of `row` at `columns` to `into`: linear, premultiplied if there are 4 channels.
   * 64-bit rows are faster to filter: JavaScript computes in nothing else, and a row fits in the cache
   * either way.
   */
  read(row: number, columns: Int32Array, into: Float64Array): void;
}

/** Returns the rows of a decoded image. Converts a row when it is read, without a linear copy. */
export function linearRowsOf(picture: DecodedImage): LinearRows {
  const { width, height, channels, pixels } = picture;
  const table = picture.bits === 16 ? srgb16ToLinear() : SRGB8_TO_LINEAR;
  const opaque = picture.bits === 16 ? 65535 : 255;
  const read3 = (row: number, columns: Int32Array, into: Float64Array) => {
    const start = row * width * 3;
    for (let column = 0, to = 0; column < columns.length; column += 1, to += 3) {
      const from = start + columns[column] * 3;
      into[to] = table[pixels[from]];
      into[to + 1] = table[pixels[from + 1]];
      into[to + 2] = table[pixels[from + 2]];
    }
  };
  const read4 = (row: number, columns: Int32Array, into: Float64Array) => {
    const start = row * width * 4;
    for (let column = 0, to = 0; column < columns.length; column += 1, to += 4) {
      const from = start + columns[column] * 4;
      const alpha = pixels[from + 3] / opaque;
      into[to] = table[pixels[from]] * alpha;
      into[to + 1] = table[pixels[from + 1]] * alpha;
      into[to + 2] = table[pixels[from + 2]] * alpha;
      into[to + 3] = alpha;
    }
  };
  return { width, height, channels, read: channels === 3 ? read3 : read4 };
}

/** Returns the rows of an image that is linear already. */
export function rowsOfLinearImage(picture: Omit<LinearImage, "mean">): LinearRows {
  const { width, height, channels, values } = picture;
  return {
    width,
    height,
    channels,
    read(row, columns, into) {
      const start = row * width * channels;
      for (let column = 0, to = 0; column < columns.length; column += 1) {
        const from = start + columns[column] * channels;
        for (let channel = 0; channel < channels; channel += 1, to += 1) {
          into[to] = values[from + channel];
        }
      }
    },
  };
}
