/** Everything that an action may throw because of what it was asked, for those who tell callers. */
export { Conflict, CreditsExhausted, isDatabaseAway } from "../../db/index.ts";
export {
  type Complaint,
  InvalidRecipe,
  Overloaded,
  SourceTooLarge,
  SourceUnreadable,
} from "../../engine/index.ts";
export { AccountFrozen, PlanRequired } from "./accounts.ts";
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
export { DeadLink } from "./follow-render-link.ts";
export { IdempotencyInFlight, IdempotencyMismatch } from "./idempotency.ts";
export { WrongPassword } from "./log-in.ts";
export { RateLimited } from "./rate-limits.ts";
export {
  KeyRevoked,
  MalformedMessage,
  NoSuchSession,
  SessionBusy,
  TooManySessions,
} from "./session-errors.ts";
export { RenderTimeout } from "./time-limit.ts";
