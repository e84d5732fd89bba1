import { deflateSync } from "node:zlib";
import t from "tap";
import { ADLER_START, adler32, adler32Combined } from "../../engine/encoders/png/deflate/adler.ts";
import { hash } from "../helpers/pictures.ts";
import { sequence } from "../helpers/sequence.ts";

/** zlib's own checksum, from the end of its stream. */
function expected(bytes: Uint8Array): number {
  return deflateSync(bytes).subarray(-4).readUInt32BE();
}

const noise = Uint8Array.from({ length: 200_000 }, (_, at) => 256 * hash(at, 3));
const bright = new Uint8Array(150_000).fill(255);

t.test("agrees with zlib", async (t) => {
  for (const bytes of [noise, bright]) {
    for (const length of [0, 1, 2, 5551, 5552, 5553, 65_521, 150_000]) {
      t.equal(adler32(bytes.subarray(0, length)), expected(bytes.subarray(0, length)), `${length}`);
    }
  }
  t.equal(adler32(new Uint8Array(0)), ADLER_START);
});

t.test("agrees with zlib at any alignment", async (t) => {
  const next = sequence(29);
  for (let round = 0; round < 400; round++) {
    const from = Math.floor(next() * 9);
    const bytes = (round % 2 ? noise : bright).subarray(from, from + Math.floor(next() * 6000));
    t.equal(adler32(bytes), expected(bytes), `${bytes.length} bytes from ${from}`);
  }
});

t.test("checksums of parts combine to that of the whole", async (t) => {
  for (const bytes of [noise, bright]) {
    for (const cut of [0, 1, 777, 65_521, 131_042, 149_999]) {
      const [first, second] = [bytes.subarray(0, cut), bytes.subarray(cut)];
      const combined = adler32Combined(adler32(first), adler32(second), second.length);
      t.equal(combined, expected(bytes), `cut at ${cut}`);
    }
  }
});
