/**
 * Deflate (RFC 1951) without match search: the head of each row is coded as literals and its tail, if
 * any, as copies at a known distance. zlib would find the same copies by searching every row, and
 * codes literals alone half as fast.
 */
import { newBytes, reusedArray } from "../../../reused-array.ts";
import { BitWriter, bitString, joinedBits } from "./bit-writer.ts";
import { type PrefixCode, prefixCode } from "./huffman.ts";
import { countBytes } from "./literals.ts";

export interface RepeatingRows {
  /** The heads of all rows, concatenated. */
  readonly heads: Uint8Array;
  /** Bytes of a head. */
  readonly headLength: number;
  /** Bytes after each head: 0, or 3 and more. */
  readonly tailLength: number;
  /** Copy distance of the tail in bytes; stays within the row. */
  readonly distance: number;
}

/** The largest copy distance of deflate. */
export const MAX_DISTANCE = 32768;

/** The shortest copy of deflate. */
export const MIN_TAIL = 3;

const LONGEST = 258;
const END_OF_BLOCK = 256;
const LITERALS = 286;
const DISTANCES = 30;
const MAX_BITS = 15;

/**
 * Literals per block. Building a code takes as long as coding ten thousand literals, and statistics
 * drift down a picture. fflate, which many programs read PNG with, loses data of larger blocks.
 */
const BLOCK_LITERALS = 1 << 17;

/**
 * Returns raw deflate that ends on a byte boundary without a final block and refers to nothing before
 * it, in memory that the next call uses again.
 */
export function deflateRepeats(rows: RepeatingRows): Uint8Array {
  const { heads, headLength, tailLength, distance } = rows;
  const lengths = tailLength === 0 ? [] : copiesOf(tailLength);
  const count = heads.length / headLength;
  const rowsOfBlock = Math.max(1, Math.floor(BLOCK_LITERALS / headLength));
  const blocks = Math.ceil(count / rowsOfBlock);
  // At most 15 bits a literal, 48 bits a copy, 300 bytes a code description.
  const most = heads.length * 2 + count * lengths.length * 6 + blocks * 400 + 16;
  const coded = codedBytes(most);
  const writer = new BitWriter(coded);
  for (let row = 0; row < count; row += rowsOfBlock) {
    const end = Math.min(count, row + rowsOfBlock);
    const part = heads.subarray(row * headLength, end * headLength);
    putBlock(writer, { ...rows, heads: part }, lengths, distance);
  }
  // An empty stored block aligns the output to a byte.
  writer.put([bitString(0, 3)]);
  const { length } = writer.end();
  coded.set([0, 0, 0xff, 0xff], length);
  return coded.subarray(0, length + 4);
}

const codedBytes = reusedArray(newBytes, 1 << 22);

/** Compresses rows as literals only, like zlib's `Z_HUFFMAN_ONLY`, in memory that the next call uses again. */
export const deflateLiterals = (rows: Uint8Array, rowLength: number): Uint8Array =>
  deflateRepeats({ heads: rows, headLength: rowLength, tailLength: 0, distance: 1 });

/** Returns the lengths of the copies that make up a tail. */
function copiesOf(tailLength: number): number[] {
  const lengths: number[] = Array(Math.floor(tailLength / LONGEST)).fill(LONGEST);
  const rest = tailLength % LONGEST;
  if (rest >= MIN_TAIL) lengths.push(rest);
  else if (rest > 0) lengths.splice(-1, 1, LONGEST + rest - MIN_TAIL, MIN_TAIL);
  return lengths;
}

function putBlock(
  writer: BitWriter,
  { heads, headLength }: RepeatingRows,
  lengths: readonly number[],
  distance: number,
): void {
  const rows = heads.length / headLength;
  const counts = new Uint32Array(LITERALS);
  countBytes(heads, counts);
  const copies = lengths.map(lengthSymbol);
  for (const { symbol } of copies) counts[symbol] += rows;
  counts[END_OF_BLOCK] = 1;
  const literals = prefixCode(counts, MAX_BITS);
  const far = distanceSymbol(distance);
  const distances = prefixCode(
    new Uint32Array(DISTANCES).fill(copies.length > 0 ? 1 : 0, far.symbol, far.symbol + 1),
    MAX_BITS,
  );
  // A non-final block with dynamic codes (§3.2.3).
  writer.put([bitString(0b100, 3)]);
  putCodes(writer, literals, distances);
  const tail = joinedBits(
    copies.flatMap(({ symbol, extra, extraBits }) => [
      literals.codes[symbol],
      bitString(extra, extraBits),
      distances.codes[far.symbol],
      bitString(far.extra, far.extraBits),
    ]),
  );
  const partLength = tail.length === 0 ? heads.length : headLength;
  for (let from = 0; from < heads.length; from += partLength) {
    writer.putCoded(heads.subarray(from, from + partLength), literals.codes);
    writer.put(tail);
  }
  writer.put([literals.codes[END_OF_BLOCK]]);
}

/** A symbol and its extra bits (§3.2.5). */
interface CodedSymbol {
  readonly symbol: number;
  readonly extra: number;
  readonly extraBits: number;
}

/** Returns the symbol of a copy length; four symbols share a number of extra bits (§3.2.5). */
function lengthSymbol(length: number): CodedSymbol {
  if (length === LONGEST) return { symbol: 285, extra: 0, extraBits: 0 };
  const { group, extra, extraBits } = grouped(length - MIN_TAIL, 4);
  return { symbol: 257 + group, extra, extraBits };
}

/** Returns the symbol of a copy distance; two symbols share a number of extra bits (§3.2.5). */
function distanceSymbol(distance: number): CodedSymbol {
  const { group, extra, extraBits } = grouped(distance - 1, 2);
  return { symbol: group, extra, extraBits };
}

/** Returns the group of a number if, after the first 2 × `each`, group size doubles every `each` groups. */
function grouped(number: number, each: 2 | 4) {
  if (number < each) return { group: number, extra: 0, extraBits: 0 };
  const extraBits = Math.max(0, Math.floor(Math.log2(number / each)));
  const within = number >> extraBits;
  return { group: extraBits * each + within, extra: number - (within << extraBits), extraBits };
}

/** Order of the lengths of the code-length code (§3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const MAX_LENGTH_BITS = 7;

/** Writes the code lengths of both codes, themselves Huffman-coded (§3.2.7). */
function putCodes(writer: BitWriter, literals: PrefixCode, distances: PrefixCode): void {
  const used = (lengths: Uint8Array, least: number) =>
    Math.max(least, 1 + lengths.findLastIndex((length) => length > 0));
  const [literalCount, distanceCount] = [used(literals.lengths, 257), used(distances.lengths, 1)];
  const lengths = new Uint8Array(literalCount + distanceCount);
  lengths.set(literals.lengths.subarray(0, literalCount));
  lengths.set(distances.lengths.subarray(0, distanceCount), literalCount);
  const words = runLengthCoded(lengths);
  const counts = new Uint32Array(ORDER.length);
  for (const { symbol } of words) counts[symbol]++;
  const code = prefixCode(counts, MAX_LENGTH_BITS);
  const given = Math.max(4, 1 + ORDER.findLastIndex((symbol) => code.lengths[symbol] > 0));
  writer.put([bitString(literalCount - 257, 5)]);
  writer.put([bitString(distanceCount - 1, 5)]);
  writer.put([bitString(given - 4, 4)]);
  for (const symbol of ORDER.slice(0, given)) writer.put([bitString(code.lengths[symbol], 3)]);
  for (const { symbol, extra, extraBits } of words) {
    writer.put([code.codes[symbol], bitString(extra, extraBits)]);
  }
}

/** Run-length codes code lengths (§3.2.7): zeros by symbols 17 and 18, others by 16. */
function runLengthCoded(lengths: Uint8Array): CodedSymbol[] {
  const words: CodedSymbol[] = [];
  for (let at = 0; at < lengths.length; ) {
    const length = lengths[at];
    let run = 1;
    while (lengths[at + run] === length) run++;
    at += run;
    if (length !== 0) {
      words.push({ symbol: length, extra: 0, extraBits: 0 });
      run--;
    }
    while (run > 0) {
      const word = runOf(length, run);
      words.push(word.coded);
      run -= word.count;
    }
  }
  return words;
}

/** Run symbols: repeat the previous length, a short run of zeros, a long run of zeros. */
const AGAIN = { symbol: 16, least: 3, most: 6, extraBits: 2 };
const ZEROS = { symbol: 17, least: 3, most: 10, extraBits: 3 };
const MANY_ZEROS = { symbol: 18, least: 11, most: 138, extraBits: 7 };

function runOf(
  length: number,
  run: number,
): { readonly coded: CodedSymbol; readonly count: number } {
  const zeros = run < MANY_ZEROS.least ? ZEROS : MANY_ZEROS;
  const { symbol, least, most, extraBits } = length === 0 ? zeros : AGAIN;
  if (run < least) return { coded: { symbol: length, extra: 0, extraBits: 0 }, count: 1 };
  const count = Math.min(run, most);
  return { coded: { symbol, extra: count - least, extraBits }, count };
}
