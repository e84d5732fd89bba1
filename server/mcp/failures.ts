/** Failures as a model reads them: what went wrong, where, and what to do next. */
import type { ValidationIssue } from "../actions/errors.ts";
import { type Failure, failureOf } from "../actions/failures.ts";
import type { Log, LogFields } from "../actions/log.ts";
import type { Services } from "../actions/services.ts";

/** Clients show these texts in full; a long list of issues helps nobody. */
const MAXIMUM_LENGTH = 1000;

/** A failure that is reported to the caller. */
export interface DescribedFailure extends Failure {
  /** In words for the caller, at most 1,000 characters; they begin with the code. */
  readonly text: string;
}

/** Returns what an error is to the caller; null for a fault of the service. */
export function describeFailure(error: unknown): DescribedFailure | null {
  const failure = failureOf(error);
  const { code, detail, advice, issues } = failure;
  if (code === "validation_failed") {
    return { ...failure, text: shorten(`${code}: ${issues.map(describeIssue).join("; ")}`) };
  }
  return advice ? { ...failure, text: shorten(`${code}: ${detail}. ${advice}`) } : null;
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
): DescribedFailure | null {
  services.readiness.note(error);
  const failure = describeFailure(error);
  if (failure?.isFault ?? true) log.error({ ...fields, error }, message);
  return failure;
}

function describeIssue({ path, message }: ValidationIssue): string {
  const place = path.slice(1).replaceAll("/", ".");
  return place ? `${place} ${message}` : message;
}

function shorten(text: string): string {
  return text.length <= MAXIMUM_LENGTH ? text : `${text.slice(0, MAXIMUM_LENGTH - 1)}…`;
}
