/** Prefix codes as deflate has them (RFC 1951 §3.2.2). */

/** A code: for each symbol its length in bits, 0 where it has none, and its bits, first one lowest. */
export interface PrefixCode {
  readonly lengths: Uint8Array;
  readonly bits: Uint16Array;
}

/**
 * The best code of at most `limit` bits a symbol for symbols that come so often, by package–merge
 * (Larmore, Hirschberg 1990). A single symbol gets one bit.
 */
export function prefixCode(counts: Uint32Array, limit: number): PrefixCode {
  return canonical(codeLengths(counts, limit), limit);
}

function codeLengths(counts: Uint32Array, limit: number): Uint8Array {
  const lengths = new Uint8Array(counts.length);
  const symbols = [...counts.keys()].filter((symbol) => counts[symbol] > 0);
  symbols.sort((a, b) => counts[a] - counts[b] || a - b);
  if (symbols.length < 2) {
    for (const symbol of symbols) lengths[symbol] = 1;
    return lengths;
  }
  const leaves = symbols.map((symbol) => counts[symbol]);
  // Each list holds the leaves and, in pairs, what the list before holds; in order of weight.
  const lists: Merged[] = [merge(leaves, [])];
  while (lists.length < limit) lists.push(merge(leaves, pairs(lists[lists.length - 1].weights)));
  let taken = 2 * symbols.length - 2;
  for (const { isLeaf } of lists.toReversed()) {
    const deeper = isLeaf.slice(0, taken).filter(Boolean).length;
    for (const symbol of symbols.slice(0, deeper)) lengths[symbol]++;
    taken = 2 * (taken - deeper);
  }
  return lengths;
}

interface Merged {
  readonly weights: readonly number[];
  readonly isLeaf: readonly boolean[];
}

const pairs = (weights: readonly number[]) =>
  Array.from({ length: weights.length >> 1 }, (_, k) => weights[2 * k] + weights[2 * k + 1]);

function merge(leaves: readonly number[], packages: readonly number[]): Merged {
  const weights: number[] = [];
  const isLeaf: boolean[] = [];
  for (let leaf = 0, other = 0; leaf < leaves.length || other < packages.length; ) {
    const takesLeaf =
      other === packages.length || (leaf < leaves.length && leaves[leaf] <= packages[other]);
    isLeaf.push(takesLeaf);
    weights.push(takesLeaf ? leaves[leaf++] : packages[other++]);
  }
  return { weights, isLeaf };
}

/** The one code of these lengths that deflate means. */
function canonical(lengths: Uint8Array, limit: number): PrefixCode {
  const ofLength = new Uint32Array(limit + 1);
  for (const length of lengths) ofLength[length]++;
  ofLength[0] = 0;
  const next = new Uint32Array(limit + 2);
  for (let length = 1; length <= limit; length++) {
    next[length + 1] = (next[length] + ofLength[length]) << 1;
  }
  const bits = new Uint16Array(lengths.length);
  for (const [symbol, length] of lengths.entries()) {
    if (length > 0) bits[symbol] = reversed(next[length]++, length);
  }
  return { lengths, bits };
}

function reversed(code: number, length: number): number {
  let bits = 0;
  for (let at = 0; at < length; at++) bits |= ((code >> at) & 1) << (length - 1 - at);
  return bits;
}
