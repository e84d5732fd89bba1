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
  one.forEach((packed, index) => {
    if (packed === other[index]) return;
    const theirs = channels(other[index]);
    channels(packed).forEach((value, channel) => {
      largest = Math.max(largest, Math.abs(value - theirs[channel]));
    });
  });
  return largest;
}

/** Mean difference of a channel over some pairs of pixels. */
export function meanDifference(pairs: Iterable<readonly [number, number]>): number {
  let sum = 0;
  let count = 0;
  for (const [one, other] of pairs) {
    const theirs = channels(other);
    channels(one).forEach((value, channel) => {
      sum += Math.abs(value - theirs[channel]);
      count += 1;
    });
  }
  return sum / count;
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
