/** Compares two pictures. */
import { WrongResult } from "./case.ts";

/**
 * Throws `WrongResult` if two pictures differ in size, or by more than allowed.
 * @param most largest difference of a channel, in steps of 1/255
 * @param mean largest mean difference
 */
export function assertSamePixels(
  name: string,
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  { most, mean }: { readonly most: number; readonly mean: number },
): void {
  if (actual.length !== expected.length) {
    throw new WrongResult(`${name}: ${actual.length} values, expected ${expected.length}`);
  }
  let largest = 0;
  let sum = 0;
  for (let i = 0; i < actual.length; i++) {
    const difference = Math.abs(actual[i] - expected[i]);
    largest = Math.max(largest, difference);
    sum += difference;
  }
  if (largest > most || sum / actual.length > mean) {
    throw new WrongResult(
      `${name}: differs by up to ${largest} and ${(sum / actual.length).toFixed(4)} on average, allowed are ${most} and ${mean}`,
    );
  }
}
