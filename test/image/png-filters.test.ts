import t from "tap";
import { filterRows, RowFilter, TYPES } from "../../engine/encoders/png/filters.ts";
import { seed } from "../helpers/random-subset.ts";
import { sequence } from "../helpers/sequence.ts";

/** A filter as the specification defines it (§9.2 to 9.4). */
function predicted(type: number, a: number, b: number, c: number): number {
  if (type === 4) {
    const p = a + b - c;
    const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
    if (pa <= pb && pa <= pc) return a;
    return pb <= pc ? b : c;
  }
  return [0, a, b, Math.floor((a + b) / 2)][type] ?? Number.NaN;
}

t.test(`rows of any length are filtered as the specification says, seed ${seed}`, async (t) => {
  const random = sequence(seed);
  for (let round = 0; round < 400; round++) {
    const pixelBytes = 1 + (round % 4);
    // Some are longer than the memory is at first, and short ones follow.
    const pixels = 1 + Math.floor(random() * (round % 50 === 49 ? 9000 : 40));
    const stride = pixels * pixelBytes;
    const rowCount = 1 + Math.floor(random() * 4);
    // Only a few levels, so that there are equal distances.
    const levels = round % 3 === 0 ? 3 : 256;
    const noise = () => Math.floor(random() * levels) * (levels === 3 && round % 2 === 0 ? 127 : 1);
    const bytes = Uint8Array.from({ length: rowCount * stride }, noise);
    const above = Uint8Array.from({ length: stride }, noise);
    const types = Array.from({ length: rowCount }, () => Math.floor(random() * TYPES.length));
    const filtered = filterRows({ bytes, stride, pixelBytes, above }, (row) => types[row] ?? 0);
    const at = (row: number, byte: number) => {
      if (byte < 0) return 0;
      return (row < 0 ? above[byte] : bytes[row * stride + byte]) ?? Number.NaN;
    };
    const expected = types.flatMap((type, row) => [
      type,
      ...Array.from({ length: stride }, (_, byte) => {
        const [a, b] = [at(row, byte - pixelBytes), at(row - 1, byte)];
        return (at(row, byte) - predicted(type, a, b, at(row - 1, byte - pixelBytes))) & 255;
      }),
    ]);
    t.strictSame(
      filtered,
      Uint8Array.from(expected),
      `${pixels} pixels of ${pixelBytes} bytes, types ${types}`,
    );
  }
});

t.test("a filter begins with the row above, whatever was filtered before", async (t) => {
  const row = Uint8Array.of(9, 8, 7);
  new RowFilter(Uint8Array.of(1, 2, 3, 4, 5, 6), 1).next(Uint8Array.of(255, 255, 255, 1, 1, 1), 4);
  t.same([...new RowFilter(Uint8Array.of(1, 1, 1), 3).next(row, 2)], [8, 7, 6]);
  t.same([...new RowFilter(new Uint8Array(3), 3).next(row, 1)], [9, 8, 7]);
});
