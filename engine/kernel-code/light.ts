/**
 * What `webasm` compiles for the light of a source: an element `colours[row][column][channel]` at a fractional row and
 * column is interpolated between pixels. gpu.js would load each channel of each pixel by itself, for four places side by
 * side; here a vector holds the four channels of a pixel, which takes a fifth of the instructions.
 *
 * A pixel is four 16-bit numbers (engine/image/light.ts). Vertical weights are whole numbers, so that two rows are added
 * without rounding; what is rounded after that, all machines round alike.
 */
import { DOT, HALVES, lanesOf, PAIRS, SHUFFLE, TRUNCATE, WORDS } from "./opcodes.ts";
import type { ArrayLayout, Emitter, Expression } from "./vector-compiler.ts";

/** Bytes of a number and of a pixel. */
const BYTES = 4;
const PIXEL_BYTES = 8;
/** Rows and columns that are read at a place, from its upper left one on or from the one before that. */
const TAPS = { bilinear: 2, quartic: 4 };
type Interpolation = keyof typeof TAPS;
/** Red, green, blue and alpha by bilinear interpolation come first, then the same over 4 × 4 pixels. */
const CHANNELS = 4;

/** Light 0…1 is −32768…32767. */
const LIGHT_SPAN = 65535;
const LIGHT_ZERO = 32768;
/** What the vertical weights of a place add up to. */
const WHOLE_WEIGHT = 16384;

/** Returns the interpolation and the channel, 0…3, that an index means. */
export function channelOf({ value }: Expression): [Interpolation, number] {
  const channel = Number(value);
  if (!(channel < 2 * CHANNELS)) throw new Error("a channel of light is a whole literal");
  return [channel < CHANNELS ? "bilinear" : "quartic", channel % CHANNELS];
}

/** Takes a vector from WebAssembly's stack to a new local variable. */
export function stored(em: Emitter): number {
  const local = em.addLocal("v128");
  em.localSet(local);
  return local;
}

/** Light that is interpolated at some places. Numbers are local variables of the function. */
export class PlacedLight {
  readonly #em: Emitter;
  readonly #offset: number;
  readonly #rowBytes: number;
  /** Fractions of the places. */
  readonly #across: number;
  readonly #down: number;
  /** Bytes from `#offset` to the first pixels that are read. */
  readonly #first: number;
  /** The four channels of each place. */
  readonly #pixels: readonly number[];

  /**
   * @param x, y from the first pixel on, so that all that is read lies in the array
   * @param count 4 places, or 1
   */
  constructor(
    em: Emitter,
    { offset, dims, flatLength }: ArrayLayout,
    x: number,
    y: number,
    interpolation: Interpolation,
    count: 1 | 4,
  ) {
    this.#em = em;
    this.#offset = offset;
    this.#rowBytes = BYTES * dims[0] * dims[1];
    const [column, across] = this.#parts(x);
    const [row, down] = this.#parts(y);
    this.#across = across;
    this.#down = down;
    em.localGet(row).i32Const(this.#rowBytes).i32x4Splat().i32x4Mul();
    em.localGet(column).i32Const(Math.log2(PIXEL_BYTES)).i32x4Shl().i32x4Add();
    const taps = TAPS[interpolation];
    const before = taps > 2 ? this.#rowBytes + PIXEL_BYTES : 0;
    em.i32Const(before).i32x4Splat().i32x4Sub();
    // Lanes that are not in the current branch may have any place.
    const last = BYTES * flatLength - (taps - 1) * this.#rowBytes - taps * PIXEL_BYTES;
    em.i32Const(last).i32x4Splat().i32x4MinU();
    this.#first = stored(em);
    this.#pixels = taps > 2 ? this.#quartic(count) : this.#bilinear(count);
  }

  /** Leaves a channel at all places, 0…1. */
  emit(channel: number): void {
    const em = this.#em;
    const [first, second = first, third = first, fourth = first] = this.#pixels;
    const words = WORDS[channel >> 1];
    const [one, other] = [
      this.#shuffled(first, second, words),
      this.#shuffled(third, fourth, words),
    ];
    em.localGet(this.#shuffled(one, other, HALVES[channel % 2]));
    this.#number(1 / (WHOLE_WEIGHT * LIGHT_SPAN));
    em.f32x4Mul();
    this.#number(LIGHT_ZERO / LIGHT_SPAN);
    em.f32x4Add();
  }

  #bilinear(count: number): number[] {
    const em = this.#em;
    const lower = this.#weight(this.#down);
    const weights = this.#paired(this.#rest([lower]), lower);
    return this.#eachPlace(count, (place, address) => {
      const weight = this.#lane(weights, place);
      const [left, right] = this.#columns(this.#loaded(address, 0, 0), [weight]);
      em.localGet(left);
      em.localGet(right).localGet(left).f32x4Sub();
      em.localGet(this.#lane(this.#across, place)).f32x4Mul().f32x4Add();
    });
  }

  #quartic(count: number): number[] {
    const em = this.#em;
    const [first, , third, fourth] = this.#quarticWeights(this.#down).map((weight) =>
      this.#weight(weight),
    );
    // What is rounded in the others is left to the second one.
    const second = this.#rest([first, third, fourth]);
    const down = [this.#paired(first, second), this.#paired(third, fourth)];
    const across = this.#quarticWeights(this.#across);
    return this.#eachPlace(count, (place, address) => {
      const weights = down.map((pair) => this.#lane(pair, place));
      const columns = [0, 2].flatMap((column) => {
        const rows = [0, 2].flatMap((row) => this.#loaded(address, row, column));
        return this.#columns(rows, weights);
      });
      for (const [n, column] of columns.entries()) {
        em.localGet(column).localGet(this.#lane(across[n], place)).f32x4Mul();
        if (n > 0) em.f32x4Add();
      }
    });
  }

  /** Returns what `emit` leaves for each place, given the address of its first pixel. */
  #eachPlace(count: number, emit: (place: number, address: number) => void): number[] {
    const em = this.#em;
    return Array.from({ length: count }, (_, place) => {
      const address = em.addLocal("i32");
      em.localGet(this.#first).i32x4ExtractLane(place).localSet(address);
      emit(place, address);
      return stored(em);
    });
  }

  /** Returns two adjacent pixels of a row and of the row below. */
  #loaded(address: number, row: number, column: number): number[] {
    const em = this.#em;
    return [row, row + 1].map((row) => {
      const from = this.#offset + row * this.#rowBytes + column * PIXEL_BYTES;
      em.localGet(address).v128Load(from, 2);
      return stored(em);
    });
  }

  /** Returns the weighted sums of the left and of the right pixels of rows. @param weights for two rows each */
  #columns(rows: readonly number[], weights: readonly number[]): number[] {
    const em = this.#em;
    return PAIRS.map((pairs) => {
      for (const [n, weight] of weights.entries()) {
        em.localGet(this.#shuffled(rows[2 * n], rows[2 * n + 1], pairs)).localGet(weight);
        em.bytes.push(...DOT);
        if (n > 0) em.i32x4Add();
      }
      em.f32x4ConvertI32x4S();
      return stored(em);
    });
  }

  /** Returns `quarticWeight` (shaders/lib/source.ts) of the four pixels around fractions. */
  #quarticWeights(fraction: number): number[] {
    const em = this.#em;
    this.#number(1);
    em.localGet(fraction).f32x4Sub();
    const rest = stored(em);
    const near = (away: number, back: number) => {
      this.#polynomial(away, [1, 1.25, -1.40625, -0.46875]);
      em.localGet(back).f32x4Mul();
      return stored(em);
    };
    const far = (away: number, back: number) => {
      this.#polynomial(away, [-0.625, -0.46875]);
      em.localGet(away).f32x4Mul().localGet(back).localGet(back).f32x4Mul().f32x4Mul();
      return stored(em);
    };
    return [far(fraction, rest), near(fraction, rest), near(rest, fraction), far(rest, fraction)];
  }

  /** Leaves a polynomial, given its coefficients from the constant one on. */
  #polynomial(x: number, [first, ...others]: readonly number[]): void {
    this.#number(first);
    if (others.length === 0) return;
    this.#em.localGet(x);
    this.#polynomial(x, others);
    this.#em.f32x4Mul().f32x4Add();
  }

  /** Returns shares as whole numbers. */
  #weight(share: number): number {
    const em = this.#em;
    em.localGet(share);
    this.#number(WHOLE_WEIGHT);
    em.f32x4Mul().f32x4Nearest();
    em.bytes.push(...TRUNCATE);
    return stored(em);
  }

  /** Returns what weights lack. */
  #rest(weights: readonly number[]): number {
    const em = this.#em;
    em.i32Const(WHOLE_WEIGHT).i32x4Splat();
    for (const weight of weights) em.localGet(weight).i32x4Sub();
    return stored(em);
  }

  /** Returns pairs of 16-bit numbers. */
  #paired(first: number, second: number): number {
    const em = this.#em;
    em.localGet(second).i32Const(16).i32x4Shl();
    em.localGet(first).i32Const(0xffff).i32x4Splat().v128And().v128Or();
    return stored(em);
  }

  /** Returns the whole part of places, and the fraction. */
  #parts(places: number): [number, number] {
    const em = this.#em;
    em.localGet(places);
    em.bytes.push(...TRUNCATE);
    const whole = stored(em);
    em.localGet(places).localGet(whole).f32x4ConvertI32x4S().f32x4Sub();
    return [whole, stored(em)];
  }

  #number(value: number): void {
    this.#em.v128ConstF32x4(value, value, value, value);
  }

  #lane(vector: number, lane: number): number {
    return this.#shuffled(vector, vector, lanesOf(lane));
  }

  #shuffled(one: number, other: number, bytes: readonly number[]): number {
    const em = this.#em;
    em.localGet(one).localGet(other);
    em.bytes.push(...SHUFFLE, ...bytes);
    return stored(em);
  }
}
