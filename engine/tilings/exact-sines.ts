/** Sines as whole numbers, so precise that the sign of a sum of their multiples can be trusted. */

/** Binary places of a sine. */
const PLACES = 192n;
/** More of them while it is computed. */
const GUARD = 32n;
const ONE = 1n << (PLACES + GUARD);

/** 2¹⁹²·sin(kπ/n), rounded, for k = 0 … 2n − 1; odd about k = n to the last digit. */
export function exactSines(n: number): bigint[] {
  const pi = 16n * arctangent(5n) - 4n * arctangent(239n);
  const half = Array.from({ length: n }, (_, k) => sine((pi * BigInt(k)) / BigInt(n)) >> GUARD);
  return [...half, ...half.map((value) => -value)];
}

/** arctan(1/x) by Gregory's series; Machin's formula makes π of two. */
function arctangent(x: bigint): bigint {
  let total = 0n;
  let term = ONE / x;
  for (let k = 1n; term !== 0n; k += 2n) {
    total += term / k;
    term /= -x * x;
  }
  return total;
}

/** By its power series. */
function sine(angle: bigint): bigint {
  let total = 0n;
  let term = angle;
  for (let k = 2n; term !== 0n; k += 2n) {
    total += term;
    term = (term * angle * -angle) / (ONE * ONE * k * (k + 1n));
  }
  return total;
}
