/** Everything that an action may throw because of what it was asked, for those who tell callers. */
export {
  Conflict,
  CorruptedContent,
  CreditsExhausted,
  ENFORCED_QUOTAS,
  isDatabaseAway,
  isDatabaseDamaged,
  QuotaExceeded,
} from "../../db/index.ts";
export {
  DeadlineExceeded,
  InvalidRecipe,
  Overloaded,
  SourceTooLarge,
  SourceUnreadable,
  type ValidationIssue,
} from "../../engine/index.ts";
export { AccountFrozen, PlanRequired } from "./accounts.ts";
export { isDiskFull } from "./disk-full.ts";
export {
  ChangedMeanwhile,
  DeadHandoff,
  InvalidInput,
  NotFound,
  NotOffered,
  NotReady,
  SourceUnreachable,
  TooManyBytes,
} from "./errors.ts";
export { IdempotencyInFlight, IdempotencyMismatch } from "./idempotency.ts";
export { TooMuchInFlight } from "./in-flight.ts";
export { WrongPassword } from "./log-in.ts";
export { DeadMailToken } from "./mail-tokens.ts";
export { RateLimited } from "./rate-limits.ts";
export { LinkGone, UnknownLink } from "./render-links.ts";
export {
  KeyRevoked,
  MalformedMessage,
  NoSuchSession,
  SessionBusy,
  TooManySessions,
} from "./session-errors.ts";
export { RenderTimeout } from "./time-limit.ts";
