/** Rate limits of callers, over any interface. */
import { createHash } from "node:crypto";
import type { Account, Database, Plan, RateLimitUse } from "../../db/index.ts";
import type { FailureCode } from "./failures.ts";

/** Requests a minute for an API key; plans without programmatic access are refused before. */
export const KEY_QUOTAS: Readonly<Record<Plan, number>> = {
  starter: 0,
  trial: 120,
  pro: 120,
  agency: 600,
};

/** Requests a minute for a user session token. */
export const TOKEN_QUOTA = 600;

const MINUTE = 60;

/** What is counted: an API key, by its account's plan, or a user session token. */
export type RateLimitSubject =
  | { readonly kind: "key"; readonly id: number; readonly account: Account }
  | { readonly kind: "token"; readonly token: string };

/** A number of requests in a time window. */
export interface Limit {
  readonly quota: number;
  readonly windowSeconds: number;
}

/** A limit and its use. */
export interface LimitUse extends RateLimitUse {
  readonly limit: Limit;
}

/** The caller has exceeded its rate limit; nothing was done. */
export class RateLimited extends Error {
  override readonly name = "RateLimited";
  readonly code = "rate_limited" satisfies FailureCode;
  /** Whole seconds until the limit resets. */
  readonly retrySeconds: number;
  constructor({ limit: { quota, windowSeconds }, resetMs }: LimitUse) {
    super(`more than ${quota} requests came within ${windowSeconds} seconds`);
    this.retrySeconds = secondsUntil(resetMs);
  }
}

/** Rounds up to whole seconds, at least one. */
export function secondsUntil(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}

/** The limit of keys on a plan. */
export const keyLimit = (plan: Plan): Limit => perMinute(KEY_QUOTAS[plan]);

/** Rate limits of keys by plan, as `apiKeys.authenticateAndCount` takes them. */
export const KEY_LIMITS = { quotas: KEY_QUOTAS, windowSeconds: MINUTE };

/** Counts a request; `allowed` tells whether it may proceed. */
export function countRequest(db: Database, counted: RateLimitSubject): Promise<LimitUse> {
  return counted.kind === "key"
    ? countUse(db, `key:${counted.id}`, keyLimit(counted.account.plan))
    : countUse(db, `token:${digest(claimsOf(counted.token))}`, perMinute(TOKEN_QUOTA));
}

/** Counts one use of a limit. */
export async function countUse(db: Database, key: string, limit: Limit): Promise<LimitUse> {
  return { limit, ...(await db.rateLimits.use(key, limit)) };
}

/** Returns the hash under which a name or a secret is counted, so that neither is stored. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** Without the signature, whose last characters have several encodings. */
const claimsOf = (token: string) => token.slice(0, token.lastIndexOf("."));

function perMinute(quota: number): Limit {
  return { quota, windowSeconds: MINUTE };
}
