/** Pixels as bytes, beside their definition. */
import t from "tap";
import { bytesOf, type Samples, writeBytes } from "../../engine/image/samples.ts";
import { randomSequence } from "../../shaders/lib/random.ts";

const SEED = Math.floor(Math.random() * 2 ** 31);
t.comment(`seed ${SEED}`);
const random = randomSequence(SEED, 0);
const whole = (below: number) => Math.floor(random() * below);

/** Around no pixels, a vector of them and the most at once. */
const LENGTHS = [0, 1, 3, 4, 5, 4095, 4096, 4097, 8192, 10_001];

const EXTREMES = [0, 255, 256, 65535, 65536, 16777215];

/** Pixels somewhere in an array. */
function someSamples(length: number, hasAlpha: boolean): Samples {
  const from = whole(5);
  const numbers = (below: number) =>
    Float32Array.from({ length: from + length }, (_, at) =>
      below > 256 && at < from + EXTREMES.length ? EXTREMES[at % EXTREMES.length] : whole(below),
    ).subarray(from);
  return { colour: numbers(2 ** 24), alpha: hasAlpha ? numbers(256) : null };
}

function expected({ colour, alpha }: Samples, channels: number): number[] {
  return Array.from(colour, (packed, at) =>
    [packed >> 16, (packed >> 8) & 255, packed & 255, alpha?.[at] ?? 255].slice(0, channels),
  ).flat();
}

t.test("pixels become red, green and blue, and alpha if they have it", async (t) => {
  for (const length of LENGTHS) {
    for (const hasAlpha of [false, true]) {
      const samples = someSamples(length, hasAlpha);
      t.strictSame([...bytesOf(samples)], expected(samples, hasAlpha ? 4 : 3), `${length} pixels`);
    }
  }
});

t.test("alpha may be bytes", async (t) => {
  const { colour } = someSamples(100, false);
  const alpha = Uint8Array.from(colour, () => whole(256));
  const asNumbers = { colour, alpha: Float32Array.from(alpha) };
  t.strictSame([...bytesOf({ colour, alpha, width: 10, height: 10 })], expected(asNumbers, 4));
});

t.test("pixels without alpha are opaque in RGBA, and nothing beyond them is written", async (t) => {
  for (const length of LENGTHS) {
    const bytes = new Uint8Array(4 * length + 7).fill(99);
    bytesOf(someSamples(length, true));
    const samples = someSamples(length, false);
    writeBytes(samples, 4, bytes.subarray(3));
    t.strictSame(
      [...bytes],
      [...Array(3).fill(99), ...expected(samples, 4), ...Array(4).fill(99)],
      `${length} pixels`,
    );
  }
});
