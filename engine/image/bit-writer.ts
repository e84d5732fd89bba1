/** Bits in the order of deflate: into each byte from its lowest bit. */
export class BitWriter {
  readonly #bytes: Uint8Array;
  #at = 0;
  #held = 0;
  #count = 0;

  /** @param capacity bytes that will be enough */
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** Up to 16 bits, the first one lowest. */
  put(bits: number, count: number): void {
    this.#held |= bits << this.#count;
    this.#count += count;
    if (this.#count >= 16) {
      this.#bytes[this.#at] = this.#held;
      this.#bytes[this.#at + 1] = this.#held >>> 8;
      this.#at += 2;
      this.#held >>>= 16;
      this.#count -= 16;
    }
  }

  /** What was written, filled up to a whole byte. */
  end(): Uint8Array {
    for (; this.#count > 0; this.#count -= 8) {
      this.#bytes[this.#at++] = this.#held;
      this.#held >>>= 8;
    }
    return this.#bytes.subarray(0, this.#at);
  }

  /** Symbols of a code, one byte each. */
  putAll(symbols: Uint8Array, lengths: Uint8Array, codes: Uint16Array): void {
    const bytes = this.#bytes;
    let at = this.#at;
    let held = this.#held;
    let count = this.#count;
    for (let k = 0; k < symbols.length; k++) {
      const symbol = symbols[k];
      held |= codes[symbol] << count;
      count += lengths[symbol];
      if (count >= 16) {
        bytes[at] = held;
        bytes[at + 1] = held >>> 8;
        at += 2;
        held >>>= 16;
        count -= 16;
      }
    }
    this.#at = at;
    this.#held = held;
    this.#count = count;
  }
}
