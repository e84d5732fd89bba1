/** Statistics of textures on plain backgrounds. */
import { channels } from "../pixels.ts";

/** One channel of a row-after-row picture. */
export interface Plane {
  readonly values: readonly number[];
  readonly width: number;
}

export function planeOf(out: Float32Array, width: number, channel: 0 | 1 | 2 = 1): Plane {
  return { values: Array.from(out, (packed) => channels(packed)[channel]), width };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Standard deviation. */
export function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}

/** Correlation of a picture with itself, moved by whole pixels; −1…1. */
export function correlation({ values, width }: Plane, right: number, down: number): number {
  const height = values.length / width;
  const middle = mean(values);
  let [products, count] = [0, 0];
  for (let y = 0; y + down < height; y++) {
    for (let x = 0; x + right < width; x++) {
      const here = values[y * width + x];
      const there = values[(y + down) * width + x + right];
      products += (here - middle) * (there - middle);
      count += 1;
    }
  }
  return products / count / deviation(values) ** 2;
}

/** Means of the columns, or of the rows. */
export function profile({ values, width }: Plane, lines: "columns" | "rows"): number[] {
  const count = lines === "columns" ? width : values.length / width;
  return Array.from({ length: count }, (_, line) =>
    mean(
      lines === "columns"
        ? values.filter((_, index) => index % width === line)
        : values.slice(line * width, (line + 1) * width),
    ),
  );
}
