/** Failures as a model reads them: what went wrong, where, and what to do next. */
import type { ValidationIssue } from "../actions/errors.ts";
import { type Failure, failureOf } from "../actions/failures.ts";
import type { Log, LogFields } from "../actions/log.ts";
import type { Services } from "../actions/services.ts";

/** Clients show these texts in full. */
const MAXIMUM_LENGTH = 1000;

/** A failure that is reported to the caller. */
export interface DescribedFailure extends Failure {
  /** Message for the caller, of at most 1,000 characters, which starts with the code. */
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

/** Where faults of the service are reported. */
export interface FaultListeners {
  readonly services: Pick<Services, "readiness">;
  readonly log: Log;
}

/**
 * Describes an error, see `describeFailure`. Faults of the service are logged as `message` with
 * `fields`, and full disks are reported to readiness.
 */
export function reportFailure(
  error: unknown,
  { services, log }: FaultListeners,
  message: string,
  fields: LogFields = {},
): DescribedFailure | null {
  services.readiness.reportError(error);
  const failure = describeFailure(error);
  if (failure === null || failure.isFault) log.error({ ...fields, error }, message);
  return failure;
}

function describeIssue({ path, message }: ValidationIssue): string {
  const place = path.slice(1).replaceAll("/", ".");
  return place ? `${place} ${message}` : message;
}

function shorten(text: string): string {
  return text.length <= MAXIMUM_LENGTH ? text : `${text.slice(0, MAXIMUM_LENGTH - 1)}…`;
}
