/** Sines in fixed point, precise enough that the sign of a sum of their multiples is exact. */

/** Fractional bits of a sine. */
const PLACES = 192n;
/** Additional bits during the computation. */
const GUARD = 32n;
const ONE = 1n << (PLACES + GUARD);

/** Returns 2¹⁹²·sin(kπ/n), rounded, for k = 0 … 2n − 1; antisymmetric about k = n to the last bit. */
export function exactSines(n: number): bigint[] {
  const pi = 16n * arctangent(5n) - 4n * arctangent(239n);
  const half = Array.from({ length: n }, (_, k) => sine((pi * BigInt(k)) / BigInt(n)) >> GUARD);
  return [...half, ...half.map((value) => -value)];
}

/** Returns arctan(1/x) by Gregory's series, for Machin's formula for π. */
function arctangent(x: bigint): bigint {
  let total = 0n;
  let term = ONE / x;
  for (let k = 1n; term !== 0n; k += 2n) {
    total += term / k;
    term /= -x * x;
  }
  return total;
}

/** Returns the sine of an angle by its power series. */
function sine(angle: bigint): bigint {
  let total = 0n;
  let term = angle;
  for (let k = 2n; term !== 0n; k += 2n) {
    total += term;
    term = (term * angle * -angle) / (ONE * ONE * k * (k + 1n));
  }
  return total;
}
