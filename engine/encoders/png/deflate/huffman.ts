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
 * @param counts of at most 288 symbols
 * @param limit at most 15
 */
export function prefixCode(counts: Uint32Array, limit: number): PrefixCode {
  const lengths = codeLengths(counts, limit);
  return { lengths, codes: canonicalCodes(lengths, limit) };
}

/** Symbols of deflate's largest alphabet, and bits of its longest code. */
const MAX_SYMBOLS = 288;
const MAX_LIMIT = 15;

/** The leaves: the symbols that occur, rarest first, and their counts. */
const symbols = new Float64Array(MAX_SYMBOLS);
const leaves = new Float64Array(MAX_SYMBOLS);
/** The weights of two lists, and for each list which of its entries are leaves: 1, else 0. */
const listWeights = [new Float64Array(2 * MAX_SYMBOLS), new Float64Array(2 * MAX_SYMBOLS)];
const leafMarks = Array.from({ length: MAX_LIMIT }, () => new Uint8Array(2 * MAX_SYMBOLS));

function codeLengths(counts: Uint32Array, limit: number): Uint8Array {
  const lengths = new Uint8Array(counts.length);
  const used = sortByCount(counts);
  if (used < 2) {
    for (let at = 0; at < used; at++) lengths[symbols[at]] = 1;
    return lengths;
  }
  // Each list merges the leaves with the pairs of the previous list, in order of weight.
  for (let list = 0, entries = 0; list < limit; list++) {
    const [below, weights] = [listWeights[(list + 1) & 1], listWeights[list & 1]];
    entries = merge(used, entries >> 1, below, weights, leafMarks[list]);
  }
  let taken = 2 * used - 2;
  for (let list = limit - 1; list >= 0; list--) {
    let deeper = 0;
    for (let at = 0; at < taken; at++) deeper += leafMarks[list][at];
    for (let at = 0; at < deeper; at++) lengths[symbols[at]]++;
    taken = 2 * (taken - deeper);
  }
  return lengths;
}

/** Writes the symbols that occur and their counts, rarest first, and returns their number. Sorts by keys that hold both. */
function sortByCount(counts: Uint32Array): number {
  let used = 0;
  for (let symbol = 0; symbol < counts.length; symbol++) {
    if (counts[symbol] > 0) symbols[used++] = counts[symbol] * counts.length + symbol;
  }
  symbols.subarray(0, used).sort();
  for (let at = 0; at < used; at++) {
    symbols[at] %= counts.length;
    leaves[at] = counts[symbols[at]];
  }
  return used;
}

/** Merges the leaves with the pairs of the list below, in order of weight. Returns the number of entries. */
function merge(
  leafCount: number,
  pairs: number,
  below: Float64Array,
  weights: Float64Array,
  isLeaf: Uint8Array,
): number {
  const entries = leafCount + pairs;
  for (let leaf = 0, pair = 0; leaf + pair < entries; ) {
    const at = leaf + pair;
    const weight = pair < pairs ? below[2 * pair] + below[2 * pair + 1] : Number.POSITIVE_INFINITY;
    if (leaf < leafCount && leaves[leaf] <= weight) {
      isLeaf[at] = 1;
      weights[at] = leaves[leaf++];
    } else {
      isLeaf[at] = 0;
      weights[at] = weight;
      pair++;
    }
  }
  return entries;
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
