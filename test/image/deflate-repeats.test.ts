/** Deflate of rows that repeat their beginning, decoded by zlib. */
import { inflateRawSync } from "node:zlib";
import t from "tap";
import { BitWriter, bitString } from "../../engine/encoders/png/deflate/bit-writer.ts";
import { prefixCode } from "../../engine/encoders/png/deflate/huffman.ts";
import { deflateRepeats, type RepeatingRows } from "../../engine/encoders/png/deflate/repeats.ts";
import { sequence } from "../helpers/sequence.ts";

/** The bytes that the rows represent. */
function spelledOut({ heads, headLength, tailLength, distance }: RepeatingRows): Uint8Array {
  const rows = heads.length / headLength;
  const stride = headLength + tailLength;
  const bytes = new Uint8Array(rows * stride);
  for (let row = 0; row < rows; row++) {
    bytes.set(heads.subarray(row * headLength, (row + 1) * headLength), row * stride);
    for (let at = headLength; at < stride; at++) {
      bytes[row * stride + at] = bytes[row * stride + at - distance];
    }
  }
  return bytes;
}

const inflated = (deflated: Uint8Array) =>
  inflateRawSync(Buffer.concat([deflated, Uint8Array.of(3, 0)]));

t.test("zlib inflates to the same rows", (t) => {
  const next = sequence(7);
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  for (let round = 0; round < 300; round++) {
    const headLength = whole(1, round % 3 === 0 ? 40_000 : 300);
    const rows = whole(1, Math.ceil(3000 / headLength) + 2);
    const values = whole(1, 256);
    const tailLength = round % 4 === 0 ? 0 : whole(3, round % 2 ? 900 : 30_000);
    const distance = whole(1, Math.min(headLength, 32768));
    const heads = new Uint8Array(rows * headLength).map(() => Math.floor(next() ** 3 * values));
    const repeating = { heads, headLength, tailLength, distance };
    const what = `${rows} rows of ${headLength} + ${tailLength} from ${distance}, ${values} values`;
    t.ok(inflated(deflateRepeats(repeating)).equals(spelledOut(repeating)), what);
  }
  t.end();
});

t.test("encodes every tail length and kind of distance correctly", (t) => {
  const heads = new Uint8Array(32768).map((_, at) => (at * at) >> 5);
  for (let tailLength = 3; tailLength < 1100; tailLength++) {
    const repeating = { heads, headLength: 32768, tailLength, distance: 1 + tailLength * 29 };
    if (!inflated(deflateRepeats(repeating)).equals(spelledOut(repeating))) {
      t.fail(`${tailLength} bytes`);
    }
  }
  t.end();
});

t.test("the longest codes follow each other after any bits", (t) => {
  // Each value is as frequent as all rarer ones together, and the end of the block as the rarest: the rarest four have 15 bits.
  const counts = Uint32Array.from({ length: 16 }, (_, value) => 2 ** Math.max(value - 1, 0));
  const { lengths } = prefixCode(Uint32Array.from([...counts, 1]), 15);
  t.same([...lengths], [15, 15, 15, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 15]);
  const values = [...counts].flatMap((count, value) => Array<number>(count).fill(value));
  for (let bits = 8; bits < 16; bits++) {
    const first = Array.from({ length: 8 }, (_, at) => (at < bits - 8 ? 14 : 15));
    const heads = Uint8Array.from([...first, ...values]);
    const repeating = { heads, headLength: heads.length, tailLength: 0, distance: 1 };
    t.ok(inflated(deflateRepeats(repeating)).equals(heads), `after ${bits} bits`);
  }
  t.end();
});

t.test("bits end where codes do", (t) => {
  const codes = new Uint32Array(256).fill(bitString(1, 1));
  const writer = new BitWriter(new Uint8Array(16).fill(255));
  writer.put([bitString(0b010, 3)]);
  writer.putCoded(new Uint8Array(8), codes);
  t.same([...writer.end()], [0b11111010, 0b111]);
  t.end();
});

t.test("parts can be concatenated and repeated", (t) => {
  const heads = new Uint8Array(500).map((_, at) => at * 7);
  const repeating = { heads, headLength: 100, tailLength: 400, distance: 50 };
  const piece = deflateRepeats(repeating);
  const bytes = spelledOut(repeating);
  t.ok(inflated(Buffer.concat([piece, piece, piece])).equals(Buffer.concat([bytes, bytes, bytes])));
  t.end();
});

t.test("a code is as short as its symbols allow, and no longer than the limit", (t) => {
  const next = sequence(3);
  for (let round = 0; round < 200; round++) {
    const counts = new Uint32Array(60).map(() => Math.floor(next() ** 8 * 1e6));
    const used = counts.filter((count) => count > 0).length;
    for (const limit of [6, 7, 15]) {
      const { lengths } = prefixCode(counts, limit);
      const kraft = lengths.reduce((sum, length) => sum + (length > 0 ? 2 ** -length : 0), 0);
      t.ok(Math.max(...lengths) <= limit);
      if (used > 1) t.equal(kraft, 1, "no bit is wasted");
    }
    const { lengths } = prefixCode(counts, 15);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const bits = counts.reduce((sum, count, symbol) => sum + count * (lengths[symbol] ?? 0), 0);
    const entropy = counts.reduce(
      (sum, count) => sum - (count > 0 ? count * Math.log2(count / total) : 0),
      0,
    );
    t.ok(bits >= entropy - 1e-6 && bits <= entropy + total, "within a bit of what is possible");
  }
  t.end();
});
