/**
 * Seeded random numbers: an integer hash in JavaScript, tables in kernels. Kernels
 * compute in 32-bit floats, which represent integers only up to 2^24, so they do no bit operations.
 */

/** Entries of a permutation table; a power of two, so that wrapping an index is exact. */
const TABLE_SIZE = 4096;

/** Returns the next number of a sequence, 0 ≤ x < 1. */
export type Random = () => number;

/** One round of splitmix32 (Steele, Lea and Flood 2014, 32-bit finaliser by C. Wellons). */
function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad);
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
  return (h ^ (h >>> 15)) >>> 0;
}

/**
 * Returns a sequence that depends on `seed` (any safe integer, including its high half) and on
 * `stream`, which separates the sequences of one picture.
 */
export function randomSequence(seed: number, stream = 0): Random {
  const high = Math.floor(seed / 2 ** 32);
  let state = mix(mix(mix(high) + seed) + Math.imul(stream, 0x632be5ab));
  return () => {
    state = (state + 0x9e3779b9) | 0;
    return mix(state) / 2 ** 32;
  };
}

/** Returns the integers 0…4095 shuffled by `seed` (Fisher–Yates), for look-ups in kernels. */
export function permutationTable(seed: number): Float32Array {
  const random = randomSequence(seed, 0x7ab1e);
  const table = Float32Array.from({ length: TABLE_SIZE }, (_, index) => index);
  for (let last = TABLE_SIZE - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const kept = table[last];
    table[last] = table[other];
    table[other] = kept;
  }
  return table;
}

/** Returns a number between `low` and `high`. */
export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random();
}

/** Returns an integer from `low` to `high`, both included. */
export function whole(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** Returns one of `choices`. */
export function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)];
}

/** Returns `items` in random order. */
export function shuffled<T>(random: Random, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
