/** Bytes of request bodies and renders in flight in this process. */
import type { Account, Database } from "../../db/index.ts";
import { type Engine, Overloaded } from "../../engine/index.ts";
import { ownerOf } from "./accounts.ts";
import type { FailureCode } from "./failures.ts";

/** Maximum bytes of an MCP message over any transport: fits an image of 12 MB in base64. */
export const MESSAGE_BYTES = 16 * 1024 * 1024;

/** Maximum bytes of JSON with an image of the largest size in base64. */
export const UPLOAD_BYTES = 48 * 1024 * 1024;

/** The caller has reached its limit in flight; nothing was done. */
class InFlightLimitExceeded extends Error {
  override readonly name = "InFlightLimitExceeded";
  readonly code = "rate_limited" satisfies FailureCode;
  /** Whole seconds after which to retry. */
  readonly retrySeconds = 2;
  constructor(unit: string, { owner, limit }: OwnerLimit) {
    const kind = owner.slice(0, owner.lastIndexOf(" "));
    super(`more than ${limit} ${unit} of this ${kind} were in flight at once`);
  }
}

/** Limit of an owner in flight. */
export interface OwnerLimit {
  /** Kind and id: `account 7`. */
  readonly owner: string;
  readonly limit: number;
}

/** Part of a quota that one guest session may use, so that it leaves room for others. */
const GUEST_SHARE = 1 / 4;

/** Part that all guest sessions of an account may use together: the rest is the account's own. */
const ALL_GUESTS_SHARE = 1 / 2;

/** Minimum of both: the largest upload, and one render. */
const GUEST_MINIMUM = { body_bytes_in_flight: UPLOAD_BYTES, renders_in_flight: 1 };

/**
 * Returns the limits that a caller takes from: the account's, within it that of all its guest
 * sessions, and within this a guest's own.
 */
export function limitsOf(
  { quotas }: Pick<Database, "quotas">,
  quota: keyof typeof GUEST_MINIMUM,
  { id, plan }: Pick<Account, "id" | "plan">,
  handoffId: number | null = null,
): readonly OwnerLimit[] {
  const limit = quotas[plan][quota];
  const whole = { owner: ownerOf(id), limit };
  if (handoffId === null) return [whole];
  const part = (share: number) =>
    Math.min(Math.max(Math.floor(limit * share), GUEST_MINIMUM[quota]), limit);
  return [
    { owner: `handoff ${handoffId}`, limit: part(GUEST_SHARE) },
    { owner: `account's guest sessions ${id}`, limit: part(ALL_GUESTS_SHARE) },
    whole,
  ];
}

/** Counts work in flight, for each owner and in total. */
export class InFlight {
  readonly #unit: string;
  readonly #total: number;
  readonly #counts = new Map<string, number>();
  #all = 0;

  /**
   * @param unit what is counted, in messages
   * @param total limit of all owners together
   */
  constructor(unit: string, total = Number.POSITIVE_INFINITY) {
    this.#unit = unit;
    this.#total = total;
  }

  /**
   * Adds to each of the `limits`; the returned function releases it. Throws InFlightLimitExceeded beyond
   * the limit of one, Overloaded beyond the total.
   */
  take(limits: readonly OwnerLimit[], amount = 1): () => void {
    const full = limits.find(({ owner, limit }) => this.of(owner) + amount > limit);
    if (full) throw new InFlightLimitExceeded(this.#unit, full);
    if (this.#all + amount > this.#total) throw new Overloaded(this.#counts.size);
    this.#add(limits, amount);
    let isOver = false;
    return () => {
      if (!isOver) this.#add(limits, -amount);
      isOver = true;
    };
  }

  /** Returns what an owner has in flight. */
  of(owner: string): number {
    return this.#counts.get(owner) ?? 0;
  }

  #add(limits: readonly OwnerLimit[], amount: number): void {
    this.#all += amount;
    for (const { owner } of limits) {
      const count = this.of(owner) + amount;
      if (count > 0) this.#counts.set(owner, count);
      else this.#counts.delete(owner);
    }
  }
}

interface EngineServices {
  readonly db: Pick<Database, "quotas">;
  readonly engine: Engine;
  readonly rendersInFlight: InFlight;
}

/**
 * Returns the services with an engine that counts this account's renders. It throws
 * InFlightLimitExceeded beyond the account's limit, or a guest's. Background jobs use the engine itself.
 * @param handoffId of a guest session
 */
export function withAccountEngine<Of extends EngineServices>(
  services: Of,
  account: Pick<Account, "id" | "plan">,
  handoffId: number | null = null,
): Of {
  const { db, engine, rendersInFlight } = services;
  const limits = limitsOf(db, "renders_in_flight", account, handoffId);
  const begin = () => rendersInFlight.take(limits);
  const counted =
    <Arguments extends unknown[], Result>(run: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      const end = begin();
      return run(...given).finally(end);
    };
  const limited: Engine = {
    ...engine,
    reserveSlot(owner) {
      const end = begin();
      try {
        const releasePlace = engine.reserveSlot(owner);
        return () => {
          releasePlace();
          end();
        };
      } catch (error) {
        end();
        throw error;
      }
    },
    async renderStream(...given) {
      const end = begin();
      try {
        const rendering = await engine.renderStream(...given);
        // Timings settle when the last byte has been read, or its reader has disconnected; the
        // signal aborts if nobody starts reading.
        rendering.timings.then(end, end);
        const [, signal] = given;
        signal?.addEventListener("abort", end, { once: true });
        if (signal?.aborted) end();
        return rendering;
      } catch (error) {
        end();
        throw error;
      }
    },
    render: counted(engine.render),
    certify: counted(engine.certify),
    drawMockup: counted(engine.drawMockup),
    drawPreset: counted(engine.drawPreset),
    encodeLevel: counted(engine.encodeLevel),
    sourceColours: counted(engine.sourceColours),
    ideas: counted(engine.ideas),
    inks: counted(engine.inks),
    separate: counted(engine.separate),
    inspect: counted(engine.inspect),
    drawContactSheet: counted(engine.drawContactSheet),
  };
  return { ...services, engine: limited };
}
