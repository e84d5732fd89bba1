/** A hash table of up to 256 colours. */

/** Entries of a PNG palette. */
const MAX_COLOURS = 256;

/** Hash slots: a quarter full at most, so that collisions are rare. */
const PLACES = 4 * MAX_COLOURS;
const PLACE_BITS = 10;

const EMPTY = -1;

/** Distinct 32-bit colours in order of first appearance. */
export class ColourTable {
  readonly #colours = new Uint32Array(MAX_COLOURS);
  readonly #places = new Int16Array(PLACES).fill(EMPTY);
  #count = 0;

  get colours(): Uint32Array {
    return this.#colours.subarray(0, this.#count);
  }

  /** Returns the index of a colour, adding it if it is new, or -1 if it is new and the table full. */
  add(colour: number): number {
    // Fibonacci hashing (Knuth, TAOCP 6.4): the upper bits depend on every channel.
    let place = Math.imul(colour, 0x9e3779b1) >>> (32 - PLACE_BITS);
    for (;;) {
      const number = this.#places[place];
      if (number === EMPTY) break;
      if (this.#colours[number] === colour) return number;
      place = (place + 1) % PLACES;
    }
    if (this.#count === MAX_COLOURS) return -1;
    this.#places[place] = this.#count;
    this.#colours[this.#count] = colour;
    return this.#count++;
  }
}
