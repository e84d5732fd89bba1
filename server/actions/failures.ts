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
export {
  ChangedMeanwhile,
  DeadHandoff,
  InvalidInput,
  isDiskFull,
  KeyRevoked,
  MalformedMessage,
  NoSuchSession,
  NotFound,
  NotOffered,
  NotReady,
  SessionBusy,
  SourceUnreachable,
  TooManyBytes,
  TooManySessions,
} from "./errors.ts";
export { IdempotencyInFlight, IdempotencyMismatch } from "./idempotency.ts";
export { TooMuchInFlight } from "./in-flight.ts";
export { DeadMailToken } from "./mail.ts";
export { RateLimited } from "./rate-limits.ts";
export { WrongPassword } from "./sessions.ts";
export { RenderTimeout } from "./time-limit.ts";
export { LinkGone, UnknownLink } from "./tokens.ts";
