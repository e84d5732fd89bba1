/** What callers have in flight in this process: bytes of request bodies, and renders. */
import type { Account, Database } from "../../db/index.ts";
import { Overloaded } from "../../engine/index.ts";
import { ownerOf } from "./accounts.ts";
import type { FailureCode } from "./failures.ts";

/** Bytes of one message of an agent's, whichever way it comes: a picture of 12 MB in base64 fits. */
export const MESSAGE_BYTES = 16 * 1024 * 1024;

/** Bytes of JSON with a picture of the largest size in base64. */
export const UPLOAD_BYTES = 48 * 1024 * 1024;

/** The caller has as much in flight as it may; nothing was done. */
class TooMuchInFlight extends Error {
  override readonly name = "TooMuchInFlight";
  readonly code = "rate_limited" satisfies FailureCode;
  /** Whole seconds after which it is worth trying again. */
  readonly retrySeconds = 2;
  constructor(unit: string, { owner, limit }: Share) {
    const [kind] = owner.split(" ");
    super(`more than ${limit} ${unit} of this ${kind} were in flight at once`);
  }
}

/** How much one owner may have in flight. */
export interface Share {
  /** A kind and its number: `account 7`. */
  readonly owner: string;
  readonly limit: number;
}

/** Share of a quota that one guest session may use, so that it cannot shut its account out. */
const GUEST_PART = 1 / 4;

/** What a guest session may use at least: the largest upload, and one render. */
const GUEST_LEAST = { body_bytes_in_flight: UPLOAD_BYTES, renders_in_flight: 1 };

/** The shares that a caller takes from: its account's, and a guest's own within that. */
export function sharesOf(
  { quotas }: Pick<Database, "quotas">,
  quota: keyof typeof GUEST_LEAST,
  { id, plan }: Pick<Account, "id" | "plan">,
  handoffId: number | null = null,
): readonly Share[] {
  const limit = quotas[plan][quota];
  const whole = { owner: ownerOf(id), limit };
  if (handoffId === null) return [whole];
  const part = Math.max(Math.floor(limit * GUEST_PART), GUEST_LEAST[quota]);
  return [{ owner: `handoff ${handoffId}`, limit: Math.min(part, limit) }, whole];
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
   * Counts what begins in each of the `shares`; what it returns is to be called when it has ended.
   * Throws TooMuchInFlight beyond the limit of one, Overloaded beyond the total.
   */
  take(shares: readonly Share[], amount = 1): () => void {
    const full = shares.find(({ owner, limit }) => this.of(owner) + amount > limit);
    if (full) throw new TooMuchInFlight(this.#unit, full);
    if (this.#all + amount > this.#total) throw new Overloaded(this.#counts.size);
    this.#add(shares, amount);
    let isOver = false;
    return () => {
      if (!isOver) this.#add(shares, -amount);
      isOver = true;
    };
  }

  /** How much an owner has in flight. */
  of(owner: string): number {
    return this.#counts.get(owner) ?? 0;
  }

  #add(shares: readonly Share[], amount: number): void {
    this.#all += amount;
    for (const { owner } of shares) {
      const count = this.of(owner) + amount;
      if (count > 0) this.#counts.set(owner, count);
      else this.#counts.delete(owner);
    }
  }
}
