/** The light of sources as `webasm` interpolates it, beside sums in 64 bits. */
import t from "tap";
import { LIGHT_WORDS, packLightRow, writeLight } from "../../engine/image/light.ts";
import type { Kernel, KernelThis } from "../../shaders/kernel.ts";
import { lightOfByte } from "../../shaders/lib/pack.ts";
import { quarticWeight } from "../../shaders/lib/source.ts";
import { sequence } from "../helpers/sequence.ts";
import { backend } from "../shaders/backends.ts";

const SEED = 83;
const WIDTH = 23;
const HEIGHT = 17;
/** Pixels from row to row. */
const LENGTH = 24;

interface LightThis extends KernelThis {
  readonly constants: { readonly colours: readonly (readonly Float32Array[])[] };
}

/** Returns a channel, and 100 where another place than the asked one is read in a branch. */
function channelAt(this: LightThis, x: Float32Array, y: Float32Array, wanted: number): number {
  const column = x[this.thread.x];
  const row = y[this.thread.x];
  if (column < 0) return 100;
  let value = this.constants.colours[row][column][0];
  if (wanted === 1) value = this.constants.colours[row][column][1];
  if (wanted === 2) value = this.constants.colours[row][column][2];
  if (wanted === 3) value = this.constants.colours[row][column][3];
  if (wanted === 4) value = this.constants.colours[row][column][4];
  if (wanted === 5) value = this.constants.colours[row][column][5];
  if (wanted === 6) value = this.constants.colours[row][column][6];
  if (wanted === 7) value = this.constants.colours[row][column][7];
  return value;
}

const kernel: Kernel = { run: channelAt };
const random = sequence(SEED);
const pixels = Array.from({ length: WIDTH * HEIGHT }, () => ({
  bytes: [random(), random(), random()].map((share) => Math.floor(256 * share)),
  alpha: Math.floor(256 * random()),
}));
const row = {
  colour: Float32Array.from(pixels, ({ bytes: [red = 0, green = 0, blue = 0] }) => {
    return red * 65536 + green * 256 + blue;
  }),
  alpha: Uint8Array.from(pixels, ({ alpha }) => alpha),
};

/** A channel of a pixel, premultiplied. */
function lightOf(column: number, at: number, channel: number): number {
  const pixel = pixels[at * WIDTH + column];
  if (pixel === undefined) return 0;
  const alpha = pixel.alpha / 255;
  return channel === 3 ? alpha : alpha * lightOfByte(pixel.bytes[channel] ?? 0);
}

function expected(x: number, y: number, channel: number, isQuartic: boolean): number {
  const weigh = (away: number) => {
    if (!isQuartic) return Math.max(0, 1 - away);
    return away < 2 ? quarticWeight(away) : 0;
  };
  let sum = 0;
  for (let at = 0; at < HEIGHT; at++) {
    for (let column = 0; column < WIDTH; column++) {
      const weight = weigh(Math.abs(x - column)) * weigh(Math.abs(y - at));
      sum += weight * lightOf(column, at, channel);
    }
  }
  return sum;
}

const runner = await backend(t, "webasm");
if (runner === null) throw new Error("webasm is the reference and has to be there");

const bind = (reading: Kernel = kernel) => {
  const bound = runner.bind(reading, {
    colours: { rows: HEIGHT + 1, length: LENGTH, depth: LIGHT_WORDS },
  });
  t.teardown(() => bound.release());
  bound.write("colours", LIGHT_WORDS * LENGTH * HEIGHT, ({ buffer, byteOffset, length }) => {
    const light = new Int32Array(buffer, byteOffset, length);
    // What lies beside the pixels has no weight.
    light.fill(0x7fff7fff);
    for (let at = 0; at < HEIGHT; at++) writeLight(row, at * WIDTH, light, at * LENGTH, WIDTH);
  });
  return bound;
};

// Vectors, and places that fill none.
for (const count of [64, 7]) {
  t.test(`channels of ${count} places, seed ${SEED}`, async (t) => {
    const bound = bind();
    const at = (most: number, n: number) =>
      n % 5 === 0 ? Math.floor(most * random()) : most * random();
    const x = Float32Array.from({ length: count }, (_, n) => 1 + at(WIDTH - 3, n));
    const y = Float32Array.from({ length: count }, (_, n) => 1 + at(HEIGHT - 3, n));
    // The corners, beyond which pixels have no weight.
    x.set([1, WIDTH - 2, 1, WIDTH - 2]);
    y.set([1, 1, HEIGHT - 2, HEIGHT - 2]);
    for (let wanted = 0; wanted < 8; wanted++) {
      const values = await bound.run(count, [x, y, wanted]);
      const off = x.map((at, n) =>
        Math.abs((values[n] ?? 0) - expected(at, y[n] ?? 0, wanted % 4, wanted > 3)),
      );
      t.ok(Math.max(...off) < 2e-4, `channel ${wanted}: off by ${Math.max(...off)}`);
    }
  });
}

t.test("at the edges bilinear interpolation reads no other pixels", async (t) => {
  const bound = bind();
  const [right, bottom] = [WIDTH - 1, HEIGHT - 1];
  const x = Float32Array.of(0, right, 0, right, 0.5, right, 3, 3.25);
  const y = Float32Array.of(0, 0, bottom, bottom, bottom, 0.75, bottom, 0);
  const values = await bound.run(x.length, [x, y, 1]);
  const off = x.map((at, n) => Math.abs((values[n] ?? 0) - expected(at, y[n] ?? 0, 1, false)));
  t.ok(Math.max(...off) < 5e-5, `off by ${Math.max(...off)}`);
});

t.test("places of other branches are not read", async (t) => {
  const bound = bind();
  const x = Float32Array.from({ length: 64 }, (_, n) => (n % 3 === 0 ? -1e9 * n - 1 : 5));
  const values = await bound.run(64, [
    x,
    new Float32Array(64).fill(1e9 * random()).map((far, n) => (n % 3 === 0 ? far : 4)),
    2,
  ]);
  const here = expected(5, 4, 2, false);
  t.ok(values.every((value, n) => (n % 3 === 0 ? value === 100 : Math.abs(value - here) < 5e-5)));
});

/** Reads channels where one place has several names, one name several places, and branches and loops lie between. */
function inParts(this: LightThis, x: Float32Array): number {
  let column = x[this.thread.x];
  const row = column;
  let sum = this.constants.colours[row][column][0];
  column = column + 1;
  sum += 10 * this.constants.colours[row][column][1];
  if (column > 5) sum += 100 * this.constants.colours[row][column][4];
  sum += 1000 * this.constants.colours[row][column][5];
  for (let n = 0; n < 2; n++) {
    sum += 10000 * this.constants.colours[row][column][6];
    column = column + 2;
  }
  return sum + 100000 * this.constants.colours[row + 2][column - 1][2];
}

t.test("light that was computed for another place is not read", async (t) => {
  const bound = bind({ run: inParts });
  const x = Float32Array.from({ length: 64 }, (_, n) => 2 + n / 10);
  const values = await bound.run(64, [x]);
  for (const [n, place] of x.entries()) {
    const far = place + 1 > 5 ? 100 * expected(place + 1, place, 0, true) : 0;
    const sum =
      expected(place, place, 0, false) +
      10 * expected(place + 1, place, 1, false) +
      far +
      1000 * expected(place + 1, place, 1, true) +
      10000 * expected(place + 1, place, 2, true) +
      10000 * expected(place + 3, place, 2, true) +
      100000 * expected(place + 4, place + 2, 2, false);
    t.ok(Math.abs((values[n] ?? 0) - sum) < 8, `${place}: ${values[n]}, not ${sum}`);
  }
});

t.test("a channel is a literal", async (t) => {
  function chosen(this: LightThis, channel: number): number {
    return this.constants.colours[1][1][channel];
  }
  const bound = runner.bind(
    { run: chosen },
    {
      colours: { rows: HEIGHT + 1, length: LENGTH, depth: LIGHT_WORDS },
    },
  );
  bound.write("colours", 1, () => undefined);
  t.throws(() => bound.run(4, [1]), { message: /a channel of light is a whole literal/ });
});

t.test("pixels survive light, unless they are dark and nearly transparent", (t) => {
  const levels = Array.from({ length: 256 }, (_, level) => level);
  const light = new Int32Array(LIGHT_WORDS);
  const packed = (level: number, alpha: number | null) => {
    const one = {
      colour: Float32Array.of(level * 0x10101),
      alpha: alpha === null ? null : Uint8Array.of(alpha),
    };
    writeLight(one, 0, light, 0, 1);
    packLightRow(light, 0, one, 0, 1);
    return [one.colour[0], one.alpha?.[0] ?? null];
  };
  for (const alpha of [null, 255, 128, 20]) {
    const kept = levels.filter(
      (level) => packed(level, alpha).join() === [level * 0x10101, alpha].join(),
    );
    t.equal(kept.length, 256, `alpha ${alpha}`);
  }
  t.strictSame(packed(200, 0), [0, 0]);
  const dark = packed(3, 2)[0] ?? 0;
  t.not(dark, 0x030303);
  t.ok(Math.abs((dark & 255) - 3) * (2 / 255) < 0.5, "what is lost does not show");
  t.end();
});
