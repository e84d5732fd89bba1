/** What accounts have in flight in this process: bytes of request bodies, and renders. */
import { Overloaded } from "../../engine/index.ts";

/** The account has as much in flight as its plan allows; nothing was done. */
export class TooMuchInFlight extends Error {
  override readonly name = "TooMuchInFlight";
  /** Whole seconds after which it is worth trying again. */
  readonly retrySeconds = 2;
  constructor(unit: string, limit: number) {
    super(`more than ${limit} ${unit} of this account were in flight at once`);
  }
}

/** Counts something that has begun and has not ended, for each owner and for all together. */
export class InFlight {
  readonly #unit: string;
  readonly #total: number;
  readonly #counts = new Map<string, number>();
  #all = 0;

  /**
   * @param unit what is counted, in messages
   * @param total how much all owners together may have in flight
   */
  constructor(unit: string, total = Number.POSITIVE_INFINITY) {
    this.#unit = unit;
    this.#total = total;
  }

  /**
   * Counts what begins; what it returns is to be called when it has ended. Throws TooMuchInFlight
   * beyond the owner's `limit`, Overloaded beyond the total.
   */
  take(owner: string, limit: number, amount = 1): () => void {
    if (this.of(owner) + amount > limit) throw new TooMuchInFlight(this.#unit, limit);
    if (this.#all + amount > this.#total) throw new Overloaded(this.#counts.size);
    this.#add(owner, amount);
    let isOver = false;
    return () => {
      if (!isOver) this.#add(owner, -amount);
      isOver = true;
    };
  }

  /** How much an owner has in flight. */
  of(owner: string): number {
    return this.#counts.get(owner) ?? 0;
  }

  #add(owner: string, amount: number): void {
    const count = this.of(owner) + amount;
    this.#all += amount;
    if (count > 0) this.#counts.set(owner, count);
    else this.#counts.delete(owner);
  }
}
