/** What failures look like to a model: what went wrong, where, and what to do next. */
import {
  AccountFrozen,
  ChangedMeanwhile,
  Conflict,
  CorruptedContent,
  CreditsExhausted,
  DeadlineExceeded,
  InvalidInput,
  InvalidRecipe,
  isDiskFull,
  KeyRevoked,
  NotFound,
  Overloaded,
  PlanRequired,
  QuotaExceeded,
  RateLimited,
  RenderTimeout,
  SessionBusy,
  SourceTooLarge,
  SourceUnreachable,
  SourceUnreadable,
  TooManyBytes,
  TooMuchInFlight,
  type ValidationIssue,
} from "../actions/failures.ts";
import type { Log, LogFields } from "../actions/log.ts";
import type { Services } from "../actions/services.ts";

/** Clients show these texts in full; a long list of issues helps nobody. */
const MAXIMUM_LENGTH = 1000;

// biome-ignore lint/suspicious/noExplicitAny: errors are told apart by class, whatever they take
type ErrorClass = new (...facts: any[]) => Error;

interface Kind {
  readonly status: number;
  readonly code: string;
  /** What to do about it. */
  readonly advice: string;
}

const kind = (status: number, code: string, advice: string): Kind => ({ status, code, advice });

const SMALLER = kind(413, "payload_too_large", "Send a smaller picture.");

/** The failures of the caller's making, with status and code as over REST. */
const FAILURES: readonly (readonly [ErrorClass, Kind])[] = [
  [KeyRevoked, kind(401, "unauthorized", "Connect again with another key.")],
  [AccountFrozen, kind(402, "account_frozen", "Only the operator of this service can lift that.")],
  [PlanRequired, kind(403, "plan_required", "The account's owner has to change the plan.")],
  [
    CreditsExhausted,
    kind(
      402,
      "credits_exhausted",
      "Listing, reading, rendering and validating are free; making sources from presets and patterns is not.",
    ),
  ],
  [
    QuotaExceeded,
    kind(
      409,
      "quota_exceeded",
      "Delete what is no longer needed (delete_pattern, cleanup_presets), or the account's owner has to change the plan.",
    ),
  ],
  [NotFound, kind(404, "not_found", "list_patterns shows the patterns that there are.")],
  [Conflict, kind(409, "conflict", "Look at it again, then decide.")],
  [ChangedMeanwhile, kind(409, "conflict", "Read it again, then repeat the change.")],
  [TooManyBytes, SMALLER],
  [SourceTooLarge, SMALLER],
  [
    SourceUnreadable,
    kind(422, "source_unreadable", "Send PNG, JPEG, WebP, AVIF, TIFF, GIF or SVG."),
  ],
  [
    SourceUnreachable,
    kind(422, "source_unreachable", "Try another address, or upload the picture."),
  ],
  [RateLimited, kind(429, "rate_limited", "Wait for a minute.")],
  [TooMuchInFlight, kind(429, "rate_limited", "Wait for the calls that are under way.")],
  [RenderTimeout, kind(504, "render_timeout", "Ask for a smaller picture or fewer effects.")],
  [DeadlineExceeded, kind(504, "render_timeout", "Ask for something smaller.")],
  [SessionBusy, kind(503, "overloaded", "Try again in a few seconds.")],
  [Overloaded, kind(503, "overloaded", "Try again in a few seconds.")],
  [CorruptedContent, kind(500, "content_corrupted", "Trying again does not help.")],
];

/** A failure of the caller's making. */
export interface Failure extends Pick<Kind, "status" | "code"> {
  /** In words for the caller, at most 1,000 characters; they begin with the code. */
  readonly text: string;
}

/** What a failure is to the caller; null for a fault of ours. */
export function describeFailure(error: unknown): Failure | null {
  if (error instanceof InvalidInput || error instanceof InvalidRecipe) {
    const code = "validation_failed";
    const text = shorten(`${code}: ${error.issues.map(complain).join("; ")}`);
    return { status: 422, code, text };
  }
  if (isDiskFull(error)) {
    const code = "insufficient_storage";
    const text = `${code}: a disk of the service is full. Its operator has to make room.`;
    return { status: 507, code, text };
  }
  const found = FAILURES.find(([failure]) => error instanceof failure);
  if (!found) return null;
  const [, { status, code, advice }] = found;
  return { status, code, text: shorten(`${code}: ${(error as Error).message}. ${advice}`) };
}

/** What hears of faults of the service. */
export interface FaultListeners {
  readonly services: Pick<Services, "readiness">;
  readonly log: Log;
}

/**
 * What a failure is to the caller, see `describeFailure`. Faults of the service are logged as `message`
 * with `fields`, and readiness is told of a full disk.
 */
export function reportFailure(
  error: unknown,
  { services, log }: FaultListeners,
  message: string,
  fields: LogFields = {},
): Failure | null {
  services.readiness.note(error);
  const failure = describeFailure(error);
  if (failure === null || failure.status === 500 || failure.status === 507) {
    log.error({ ...fields, error }, message);
  }
  return failure;
}

function complain({ path, message }: ValidationIssue): string {
  const place = path.slice(1).replaceAll("/", ".");
  return place ? `${place} ${message}` : message;
}

function shorten(text: string): string {
  return text.length <= MAXIMUM_LENGTH ? text : `${text.slice(0, MAXIMUM_LENGTH - 1)}…`;
}
