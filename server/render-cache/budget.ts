/** An amount that may be used in each period of time, by the clock in UTC. */
export class Budget {
  readonly #amount: number;
  readonly #periodMs: number;
  #period = 0;
  #left = 0;

  constructor(amount: number, periodMs: number) {
    this.#amount = amount;
    this.#periodMs = periodMs;
  }

  /** Whether so much is left in this period. */
  has(wanted: number): boolean {
    const period = Math.floor(Date.now() / this.#periodMs);
    if (period !== this.#period) this.#left = this.#amount;
    this.#period = period;
    return wanted <= this.#left;
  }

  /** Uses what `has` says is left. */
  take(wanted: number): void {
    this.#left -= wanted;
  }
}
