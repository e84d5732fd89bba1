import { hash } from "../helpers/pictures.ts";
import { seed } from "../helpers/random-subset.ts";

/** Returns a function that draws numbers of 0…1 by the seed, other ones for each salt. */
export function randomNumbers(salt: number): () => number {
  let drawn = 0;
  return () => hash(seed + salt, drawn++);
}
