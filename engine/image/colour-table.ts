/** A few colours, found by their pixels. */

/** As many as a PNG's palette holds. */
const MOST_COLOURS = 256;

/** Places to look for a colour: four for each, so that two rarely want the same. */
const PLACES = 4 * MOST_COLOURS;
const PLACE_BITS = 10;

const EMPTY = -1;

/** Colours of 32 bits in the order in which they came first. */
export class ColourTable {
  readonly #colours = new Uint32Array(MOST_COLOURS);
  readonly #places = new Int16Array(PLACES).fill(EMPTY);
  #count = 0;

  get colours(): Uint32Array {
    return this.#colours.subarray(0, this.#count);
  }

  /** The number of a colour, which it gets if it is new; -1 for a new one where the table is full. */
  add(colour: number): number {
    // Fibonacci hashing (Knuth, TAOCP 6.4): the upper bits depend on all channels.
    let place = Math.imul(colour, 0x9e3779b1) >>> (32 - PLACE_BITS);
    for (;;) {
      const number = this.#places[place];
      if (number === EMPTY) break;
      if (this.#colours[number] === colour) return number;
      place = (place + 1) % PLACES;
    }
    if (this.#count === MOST_COLOURS) return -1;
    this.#places[place] = this.#count;
    this.#colours[this.#count] = colour;
    return this.#count++;
  }
}
