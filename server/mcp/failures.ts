/** What failures look like to a model: what went wrong, where, and what to do next. */
import {
  AccountFrozen,
  ChangedMeanwhile,
  type Complaint,
  Conflict,
  CreditsExhausted,
  InvalidInput,
  InvalidRecipe,
  NotFound,
  Overloaded,
  PlanRequired,
  RateLimited,
  RenderTimeout,
  SourceTooLarge,
  SourceUnreachable,
  SourceUnreadable,
  TooManyBytes,
} from "../actions/failures.ts";

/** Clients show these texts in full; a long list of complaints helps nobody. */
const MAXIMUM_LENGTH = 1000;

// biome-ignore lint/suspicious/noExplicitAny: errors are told apart by class, whatever they take
type ErrorClass = new (...facts: any[]) => Error;

/** The failures of the caller's making, with what to do about them. */
const FAILURES: readonly (readonly [ErrorClass, code: string, advice: string])[] = [
  [AccountFrozen, "account_frozen", "Only the operator of this service can lift that."],
  [PlanRequired, "plan_required", "The account's owner has to change the plan."],
  [
    CreditsExhausted,
    "credits_exhausted",
    "Listing, reading, rendering and validating are free; making sources from presets and patterns is not.",
  ],
  [NotFound, "not_found", "list_patterns shows the patterns that there are."],
  [Conflict, "conflict", "Look at it again, then decide."],
  [ChangedMeanwhile, "conflict", "Read it again, then repeat the change."],
  [TooManyBytes, "payload_too_large", "Send a smaller picture."],
  [SourceTooLarge, "payload_too_large", "Send a smaller picture."],
  [SourceUnreadable, "source_unreadable", "Send PNG, JPEG, WebP, AVIF, TIFF, GIF or SVG."],
  [SourceUnreachable, "source_unreachable", "Try another address, or upload the picture."],
  [RateLimited, "rate_limited", "Wait for a minute."],
  [RenderTimeout, "render_timeout", "Ask for a smaller picture or fewer effects."],
  [Overloaded, "overloaded", "Try again in a few seconds."],
];

/** A failure in words for the caller, below 1,000 characters; null for a fault of ours. */
export function explainFailure(error: unknown): string | null {
  if (error instanceof InvalidInput || error instanceof InvalidRecipe) {
    return shorten(`validation_failed: ${error.complaints.map(complain).join("; ")}`);
  }
  const row = FAILURES.find(([kind]) => error instanceof kind);
  return row ? shorten(`${row[1]}: ${(error as Error).message}. ${row[2]}`) : null;
}

function complain({ path, message }: Complaint): string {
  const place = path.slice(1).replaceAll("/", ".");
  return place ? `${place} ${message}` : message;
}

function shorten(text: string): string {
  return text.length <= MAXIMUM_LENGTH ? text : `${text.slice(0, MAXIMUM_LENGTH - 1)}…`;
}
