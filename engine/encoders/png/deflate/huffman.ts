/** Prefix codes of deflate (RFC 1951 §3.2.2). */
import { bitString } from "./bit-writer.ts";

export interface PrefixCode {
  /** Bits of each symbol's code; 0 for symbols without one. */
  readonly lengths: Uint8Array;
  /** Each symbol's code as a bit string for `BitWriter`. */
  readonly codes: Uint32Array;
}

/**
 * Returns the optimal code of at most `limit` bits a symbol for the given frequencies, by
 * package–merge (Larmore, Hirschberg 1990). A single symbol gets one bit.
 */
export function prefixCode(counts: Uint32Array, limit: number): PrefixCode {
  const lengths = codeLengths(counts, limit);
  return { lengths, codes: canonicalCodes(lengths, limit) };
}

function codeLengths(counts: Uint32Array, limit: number): Uint8Array {
  const lengths = new Uint8Array(counts.length);
  const symbols = byCount(counts);
  if (symbols.length < 2) {
    for (const symbol of symbols) lengths[symbol] = 1;
    return lengths;
  }
  const leaves = new Float64Array(symbols.length);
  for (let at = 0; at < leaves.length; at++) leaves[at] = counts[symbols[at]];
  // Each list merges the leaves with the pairs of the previous list, in order of weight.
  const lists = [merge(leaves, new Float64Array(0))];
  while (lists.length < limit) lists.push(merge(leaves, lists[lists.length - 1].weights));
  let taken = 2 * symbols.length - 2;
  for (const { isLeaf } of lists.toReversed()) {
    let deeper = 0;
    for (let at = 0; at < taken; at++) deeper += isLeaf[at];
    for (let at = 0; at < deeper; at++) lengths[symbols[at]]++;
    taken = 2 * (taken - deeper);
  }
  return lengths;
}

/** Returns the symbols that occur, rarest first. */
function byCount(counts: Uint32Array): Float64Array {
  const keys = new Float64Array(counts.length);
  let used = 0;
  for (let symbol = 0; symbol < counts.length; symbol++) {
    if (counts[symbol] > 0) keys[used++] = counts[symbol] * counts.length + symbol;
  }
  const symbols = keys.subarray(0, used).sort();
  for (let at = 0; at < used; at++) symbols[at] %= counts.length;
  return symbols;
}

interface PackageList {
  readonly weights: Float64Array;
  /** 1 for a leaf, 0 for a pair. */
  readonly isLeaf: Uint8Array;
}

/** Merges the leaves with the pairs of a list, in order of weight. */
function merge(leaves: Float64Array, below: Float64Array): PackageList {
  const pairs = below.length >> 1;
  const weights = new Float64Array(leaves.length + pairs);
  const isLeaf = new Uint8Array(weights.length);
  for (let leaf = 0, pair = 0; leaf + pair < weights.length; ) {
    const at = leaf + pair;
    const weight = pair < pairs ? below[2 * pair] + below[2 * pair + 1] : Number.POSITIVE_INFINITY;
    if (leaf < leaves.length && leaves[leaf] <= weight) {
      isLeaf[at] = 1;
      weights[at] = leaves[leaf++];
    } else {
      weights[at] = weight;
      pair++;
    }
  }
  return { weights, isLeaf };
}

/** Returns deflate's canonical code of these lengths. */
function canonicalCodes(lengths: Uint8Array, limit: number): Uint32Array {
  const ofLength = new Uint32Array(limit + 1);
  for (const length of lengths) ofLength[length]++;
  ofLength[0] = 0;
  const next = new Uint32Array(limit + 2);
  for (let length = 1; length <= limit; length++) {
    next[length + 1] = (next[length] + ofLength[length]) << 1;
  }
  const codes = new Uint32Array(lengths.length);
  for (let symbol = 0; symbol < codes.length; symbol++) {
    const length = lengths[symbol];
    if (length > 0) codes[symbol] = bitString(reversed(next[length]++, length), length);
  }
  return codes;
}

function reversed(code: number, length: number): number {
  let bits = 0;
  for (let at = 0; at < length; at++) bits |= ((code >> at) & 1) << (length - 1 - at);
  return bits;
}
