/** A fixed sequence of numbers in [0, 1) for property tests: the same on every run. */
export function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    // Numerical Recipes' linear congruential generator, its upper bits.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}
