/** How many requests a caller may make, whichever way they come in. */
import { createHash } from "node:crypto";
import type { Account, Database, Plan, RateLimitUse } from "../../db/index.ts";
import type { FailureCode } from "./failures.ts";

/** Requests a minute for one API key; on the plans without programmatic access none get this far. */
export const KEY_QUOTAS: Readonly<Record<Plan, number>> = {
  starter: 0,
  trial: 120,
  pro: 120,
  agency: 600,
};

/** Requests a minute for one person's token. */
export const TOKEN_QUOTA = 600;

const MINUTE = 60;

/** Who is counted: a key under its account's plan, or a person's token. */
export type Counted =
  | { readonly kind: "key"; readonly id: number; readonly account: Account }
  | { readonly kind: "token"; readonly token: string };

/** A quota in a window of time. */
export interface Limit {
  readonly quota: number;
  readonly windowSeconds: number;
}

/** A limit and how much of it is used. */
export interface LimitUse extends RateLimitUse {
  readonly limit: Limit;
}

/** More requests came than may; nothing was done. */
export class RateLimited extends Error {
  override readonly name = "RateLimited";
  readonly code = "rate_limited" satisfies FailureCode;
  /** Whole seconds until requests are taken again. */
  readonly retrySeconds: number;
  constructor({ limit: { quota, windowSeconds }, resetMs }: LimitUse) {
    super(`more than ${quota} requests came within ${windowSeconds} seconds`);
    this.retrySeconds = secondsUntil(resetMs);
  }
}

/** Whole seconds, at least one: who waits that long is not too early. */
export function secondsUntil(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}

/** The limit of keys on a plan. */
export const keyLimit = (plan: Plan): Limit => perMinute(KEY_QUOTAS[plan]);

/** What a key is counted by, as `AdmissionRules` say it. */
export const KEY_RULES = { quotas: KEY_QUOTAS, windowSeconds: MINUTE };

/** Counts a request of a caller. Whether it may go on is `allowed`. */
export function countRequest(db: Database, counted: Counted): Promise<LimitUse> {
  return counted.kind === "key"
    ? countUse(db, `key:${counted.id}`, keyLimit(counted.account.plan))
    : countUse(db, `token:${digest(claimsOf(counted.token))}`, perMinute(TOKEN_QUOTA));
}

/** Counts one use of anything that has a limit. */
export async function countUse(db: Database, key: string, limit: Limit): Promise<LimitUse> {
  return { limit, ...(await db.rateLimits.use(key, limit)) };
}

/** What a name or a secret is counted under, so that neither stands in the table. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** Without the signature, whose last characters can be written in several ways. */
const claimsOf = (token: string) => token.slice(0, token.lastIndexOf("."));

function perMinute(quota: number): Limit {
  return { quota, windowSeconds: MINUTE };
}
