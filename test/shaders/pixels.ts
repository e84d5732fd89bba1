/** Packed colours for tests: input pictures, and differences of two pictures. */

/** Red, green and blue of a packed colour. */
export function channels(packed: number): readonly [number, number, number] {
  return [Math.floor(packed / 65536), Math.floor(packed / 256) % 256, packed % 256];
}

export function pack(red: number, green: number, blue: number): number {
  return red * 65536 + green * 256 + blue;
}

/** The largest difference of a channel. */
export function largestDifference(one: Float32Array, other: Float32Array): number {
  let largest = 0;
  for (let at = 0; at < one.length; at++) {
    if (one[at] === other[at]) continue;
    const [red, green, blue] = channels(one[at]);
    const [r, g, b] = channels(other[at]);
    largest = Math.max(largest, Math.abs(red - r), Math.abs(green - g), Math.abs(blue - b));
  }
  return largest;
}

/** Mean difference of a channel of two pictures, or of lines of them. */
export function meanDifference(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) {
    const [red, green, blue] = channels(one[at]);
    const [r, g, b] = channels(other[at]);
    sum += Math.abs(red - r) + Math.abs(green - g) + Math.abs(blue - b);
  }
  return sum / one.length / 3;
}

/** Every colour from black to white and many between, shuffled. */
export function colourful(width: number, height: number): Float32Array {
  return Float32Array.from({ length: width * height }, (_, index) =>
    index < 256 ? pack(index, index, index) : (Math.imul(index, 0x9e3779b1) >>> 0) % 16777216,
  );
}

/** One colour everywhere. */
export function plain(width: number, height: number, packed: number): Float32Array {
  return new Float32Array(width * height).fill(packed);
}
