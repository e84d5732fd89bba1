/** Copies parts of arrays. */

/** From this length on `set` is faster than a loop, which makes no view of the array. */
const LONG = 192;

/** Copies `count` numbers of an array, starting at `first`, to another one, starting at `at`. */
export function copyNumbers(
  from: Float32Array,
  first: number,
  count: number,
  into: Float32Array,
  at: number,
): void {
  if (count >= LONG) into.set(from.subarray(first, first + count), at);
  else for (let k = 0; k < count; k++) into[at + k] = from[first + k];
}
