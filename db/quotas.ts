/** Quotas by plan: what an account may hold, and what it may have in flight in a process. */

export const PLANS = ["starter", "pro", "agency", "trial"] as const;
export type Plan = (typeof PLANS)[number];

/** Quotas on what the database holds. */
export const STORED_QUOTAS = [
  "sources",
  "source_bytes",
  "patterns",
  "api_keys",
  "output_bytes",
  "pinned_renders",
  "batch_items",
  "open_batches",
] as const;
export type StoredQuota = (typeof STORED_QUOTAS)[number];

export const QUOTAS = [...STORED_QUOTAS, "body_bytes_in_flight", "renders_in_flight"] as const;
export type Quota = (typeof QUOTAS)[number];

/** The limits of each plan. */
export type Quotas = Readonly<Record<Plan, Readonly<Record<Quota, number>>>>;

/** What an account holds of each stored quota. */
export type Usage = Readonly<Record<StoredQuota, number>>;

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/**
 * For a deployment that sets none. `output_bytes` counts exports and mockups, `pinned_renders` the
 * pictures that links lead to, `batch_items` those of batches until they are deleted, and `open_batches` the batches
 * that are not finished.
 */
export const DEFAULT_QUOTAS: Quotas = {
  trial: {
    sources: 200,
    source_bytes: 256 * MIB,
    patterns: 1000,
    api_keys: 5,
    output_bytes: GIB,
    pinned_renders: 10_000,
    batch_items: 10_000,
    open_batches: 2,
    body_bytes_in_flight: 64 * MIB,
    renders_in_flight: 8,
  },
  starter: {
    sources: 200,
    source_bytes: 256 * MIB,
    patterns: 1000,
    api_keys: 0,
    output_bytes: 0,
    pinned_renders: 10_000,
    batch_items: 0,
    open_batches: 0,
    body_bytes_in_flight: 64 * MIB,
    renders_in_flight: 8,
  },
  pro: {
    sources: 10_000,
    source_bytes: 10 * GIB,
    patterns: 100_000,
    api_keys: 20,
    output_bytes: 8 * GIB,
    pinned_renders: 100_000,
    batch_items: 100_000,
    open_batches: 10,
    body_bytes_in_flight: 128 * MIB,
    renders_in_flight: 32,
  },
  agency: {
    sources: 100_000,
    source_bytes: 100 * GIB,
    patterns: 1_000_000,
    api_keys: 20,
    output_bytes: 64 * GIB,
    pinned_renders: 1_000_000,
    batch_items: 1_000_000,
    open_batches: 50,
    body_bytes_in_flight: 256 * MIB,
    renders_in_flight: 64,
  },
};

/**
 * Returns the quotas for what guests create: a tenth of each, rounded down, is left to the account,
 * which can go on working when its guests have used up the rest.
 */
export function guestQuotas({ trial, starter, pro, agency }: Quotas): Quotas {
  const leave = (limit: number) => limit - Math.floor(limit / 10);
  const guests = (limits: Quotas[Plan]) => ({
    ...limits,
    sources: leave(limits.sources),
    source_bytes: leave(limits.source_bytes),
    patterns: leave(limits.patterns),
    output_bytes: leave(limits.output_bytes),
  });
  return {
    trial: guests(trial),
    starter: guests(starter),
    pro: guests(pro),
    agency: guests(agency),
  };
}

/** The budgets of a handoff: charged creations, and free uploads. Each is its `max_patterns`. */
const HANDOFF_QUOTAS = ["handoff_creations", "handoff_uploads"] as const;
type HandoffQuota = (typeof HANDOFF_QUOTAS)[number];

/** All quotas that a `QuotaExceeded` can name. */
export const ENFORCED_QUOTAS = [...STORED_QUOTAS, ...HANDOFF_QUOTAS] as const;

/** The account, or the handoff, has no room under this quota; nothing was written. */
export class QuotaExceeded extends Error {
  override readonly name = "QuotaExceeded";
  readonly code = "quota_exceeded";
  readonly quota: StoredQuota | HandoffQuota;
  readonly limit: number;
  /** Without what was requested. */
  readonly used: number;
  constructor(
    quota: StoredQuota | HandoffQuota,
    { limit, used, wanted }: { limit: number; used: number; wanted: number },
  ) {
    super(`${quota}: ${used} of ${limit} used, ${wanted} more requested`);
    this.quota = quota;
    this.limit = limit;
    this.used = used;
  }
}
