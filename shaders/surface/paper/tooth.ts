/** A seamless piece of paper: its light and ink absorption. */
import { between, type Random, randomSequence } from "../../lib/random.ts";

/** Pixels along a side of the piece. */
export const SIDE = 256;

/** Distance between neighbouring bumps in its pixels: 0.6 mm at 300 pixels per inch. */
export const BUMP = (0.6 * 300) / 25.4;

/** Heights or shares over the piece, row by row, with wrapping edges. */
type Plane = Float32Array<ArrayBuffer>;

/** Where the light comes from: the upper left, a little more from above. */
const LIGHT = { x: 0.64, y: 0.77 };

/**
 * For each pixel one number that holds two, each with mean 0 and variance 1 in steps of 1/256 from
 * −8 to 8: light reflected by the tooth of the paper · 4096 + ink absorbed. A
 * kernel spends most of its time on look-ups, so one number holds both.
 *
 * All pixels are stored twice, with the same tooth and different clouds of ink: unlike light, ink
 * has no direction, so the second has the transposed negative; otherwise large clouds would visibly
 * repeat.
 * @param fibres 0…1
 * @param step pixels of the piece for a pixel of the sheet, over which the numbers are averaged
 */
export function piece(seed: number, fibres: number, step: number): Float32Array {
  const random = randomSequence(seed, 0x9a9e5);
  const height = tooth(random, BUMP);
  layFibres(random, height, BUMP, fibres);
  const shade = slopes(height);
  const ink = clouds(random, BUMP);
  // Hollows get a little less light.
  add(shade, normalised(height), 0.45);
  const [light, taken] = [normalised(shade), normalised(ink)].map((one) => averaged(one, step));
  const numbers = new Float32Array(2 * light.length);
  for (let at = 0; at < light.length; at++) {
    const aside = (at % SIDE) * SIDE + Math.floor(at / SIDE);
    const shown = inSteps(light[at]) * 4096;
    numbers[at] = shown + inSteps(taken[at]);
    numbers[light.length + at] = shown + inSteps(-taken[aside]);
  }
  return numbers;
}

/** −8…8 as 0…4095. */
const inSteps = (value: number) => Math.min(Math.max(Math.round((value + 8) * 256 - 0.5), 0), 4095);

/** Pebbles pressed into each other, as the felt leaves them, under finer and finer unevenness. */
function tooth(random: Random, size: number): Plane {
  const height = plane();
  for (const at of places(random, size)) {
    const [radius, top] = [size * between(random, 0.9, 1.5), between(random, 0.55, 1)];
    dome(height, at, radius, top, "highest");
  }
  for (const [finer, amount] of [
    [0.35, 0.3],
    [1.6, 0.2],
    [3, 0.11],
  ] as const) {
    if (size / finer >= 1) bumps(random, height, size / finer, amount);
  }
  return normalised(height);
}

/** Uneven ink absorption: large and small clouds. */
function clouds(random: Random, size: number): Plane {
  const ink = plane();
  for (const [larger, amount] of [
    [6, 1],
    [2.5, 0.5],
    [1, 0.3],
  ] as const) {
    bumps(random, ink, Math.min(size * larger, SIDE / 8), amount);
  }
  return normalised(ink);
}

/** Adds bumps and hollows of a size at random places: sparse convolution (Lewis 1989), no grid. */
function bumps(random: Random, onto: Plane, size: number, amount: number): void {
  for (const at of places(random, size)) {
    dome(onto, at, 1.3 * size, random() < 0.5 ? -amount : amount, "sum");
  }
}

/** Thin ridges, a little curved, each rising out of the sheet and sinking back into it. */
function layFibres(random: Random, height: Plane, size: number, fibres: number): void {
  const count = Math.round((fibres * SIDE * SIDE) / (9 * size * size));
  for (let fibre = 0; fibre < count; fibre++) {
    let [x, y, turn] = [random() * SIDE, random() * SIDE, random() * 2 * Math.PI];
    const length = between(random, 3, 11) * size;
    const [radius, ridge] = [between(random, 0.14, 0.26) * size, between(random, 0.3, 1.8)];
    // An arc with a wave on it, together less than a third of a circle.
    const arc = between(random, -1.2, 1.2) / length;
    const wave = between(random, 0, 3) / length;
    for (let step = 0; step < length; step++) {
      const along = step / length;
      dome(height, { x, y }, radius, ridge * along * (1 - along), "sum");
      x += Math.cos(turn);
      y += Math.sin(turn);
      turn += arc + wave * Math.cos(9 * along);
    }
  }
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Random places, as many as squares of side `size` cover the piece. */
function* places(random: Random, size: number): Generator<Place> {
  const count = Math.round((SIDE / size) ** 2 * 1.3);
  for (let index = 0; index < count; index++) yield { x: random() * SIDE, y: random() * SIDE };
}

/** Adds (1 − (distance/radius)²)² · `top` to a plane, or takes the maximum. */
function dome(onto: Plane, { x, y }: Place, radius: number, top: number, join: "sum" | "highest") {
  for (let row = Math.ceil(y - radius); row <= y + radius; row++) {
    const start = (row & (SIDE - 1)) * SIDE;
    const chord = radius * radius - (row - y) ** 2;
    for (let column = Math.ceil(x - radius); column <= x + radius; column++) {
      const share = (chord - (column - x) ** 2) / (radius * radius);
      if (share <= 0) continue;
      const index = start + (column & (SIDE - 1));
      const [here, laid] = [onto[index], top * share * share];
      onto[index] = join === "sum" ? here + laid : Math.max(here, laid);
    }
  }
}

/** Slope towards the light: central differences. */
function slopes(height: Plane): Plane {
  const at = (x: number, y: number) => height[(y & (SIDE - 1)) * SIDE + (x & (SIDE - 1))];
  return normalised(
    height.map((_, index) => {
      const [x, y] = [index & (SIDE - 1), Math.floor(index / SIDE)];
      return LIGHT.x * (at(x + 1, y) - at(x - 1, y)) + LIGHT.y * (at(x, y + 1) - at(x, y - 1));
    }),
  );
}

const plane = (): Plane => new Float32Array(SIDE * SIDE);

function add(to: Plane, other: Plane, share: number): void {
  for (let index = 0; index < to.length; index++) {
    to[index] += share * other[index];
  }
}

/** Averages over squares of so many pixels, rounded to a whole number. */
function averaged(values: Plane, step: number): Plane {
  const side = Math.min(Math.round(step), SIDE);
  if (side < 2) return values;
  const along = (from: Plane, stride: number, across: number) => {
    const sums = plane();
    for (let line = 0; line < SIDE; line++) {
      for (let place = 0; place < SIDE; place++) {
        let sum = 0;
        for (let tap = 0; tap < side; tap++) {
          const at = (place + tap - (side >> 1)) & (SIDE - 1);
          sum += from[line * across + at * stride];
        }
        sums[line * across + place * stride] = sum / side;
      }
    }
    return sums;
  };
  return along(along(values, 1, SIDE), SIDE, 1);
}

/** Normalises to mean 0 and variance 1. */
function normalised(values: Plane): Plane {
  let [sum, squares] = [0, 0];
  for (const value of values) sum += value;
  const mean = sum / values.length;
  for (const value of values) squares += (value - mean) ** 2;
  const deviation = Math.sqrt(squares / values.length);
  return values.map((value) => (value - mean) / deviation);
}
