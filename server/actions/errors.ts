/** What can go wrong in an action, as facts with a code; see `FAILURES` for what follows from it. */
import { describeValue, type ValidationIssue } from "../../engine/index.ts";
import type { FailureCode } from "./failures.ts";

export {
  Conflict,
  CorruptedContent,
  CreditsExhausted,
  ENFORCED_QUOTAS,
  QuotaExceeded,
} from "../../db/index.ts";
export {
  InvalidRecipe,
  Overloaded,
  SourceUnreadable,
  type ValidationIssue,
} from "../../engine/index.ts";

/** There is no such thing in this account, whether it exists in another one or not. */
export class NotFound extends Error {
  override readonly name = "NotFound";
  readonly code = "not_found" satisfies FailureCode;
  /** What was looked for, e.g. `pattern 12`. */
  readonly thing: string;
  constructor(thing: string) {
    super(`there is no ${thing} in this account`);
    this.thing = thing;
  }
}

/** Returns what was looked for. Throws NotFound where there is none. */
export function requireFound<Found>(found: Found | null, thing: string): Found {
  if (found === null) throw new NotFound(thing);
  return found;
}

/** The input has the wrong shape or asks for something that does not exist. */
export class InvalidInput extends Error {
  override readonly name = "InvalidInput";
  readonly code = "validation_failed" satisfies FailureCode;
  readonly issues: readonly ValidationIssue[];
  constructor(issues: readonly ValidationIssue[], options?: ErrorOptions) {
    const texts = issues.map((issue) => `${issue.path}: ${issue.message}`);
    super(texts.join("; "), options);
    this.issues = issues;
  }
}

/** What is wrong with a value at its place; `says` what it is not, where that tells more. */
export function issueAt(
  path: string,
  given: unknown,
  expected: string,
  says = "",
): ValidationIssue {
  const received = describeValue(given);
  const message = `${says && `${says}: `}expected ${expected}, got ${received}`;
  return { path, message, expected, received };
}

/** The thing was changed since the caller last saw it; nothing was written. */
export class ChangedMeanwhile extends Error {
  override readonly name = "ChangedMeanwhile";
  readonly code = "precondition_failed" satisfies FailureCode;
  constructor(thing: string) {
    super(`${thing} is no longer in the version that was asked for`);
  }
}

/** The picture cannot be fetched from its address. */
export class SourceUnreachable extends Error {
  override readonly name = "SourceUnreachable";
  readonly code = "source_unreachable" satisfies FailureCode;
  constructor(why: string, options: ErrorOptions) {
    super(`the picture could not be fetched: ${why}`, options);
  }
}

/** More bytes came than are taken. */
export class TooManyBytes extends Error {
  override readonly name = "TooManyBytes";
  readonly code = "payload_too_large" satisfies FailureCode;
  readonly maximum: number;
  constructor(what: string, maximum: number) {
    super(`${what} is larger than the ${maximum} bytes that are taken`);
    this.maximum = maximum;
  }
}

/** This installation leaves it to somebody else. */
export class NotOffered extends Error {
  override readonly name = "NotOffered";
  readonly code = "not_found" satisfies FailureCode;
}

/** The token opens no handoff: it is unknown, was used, or has expired. */
export class DeadHandoff extends Error {
  override readonly name = "DeadHandoff";
  readonly code = "not_found" satisfies FailureCode;
  constructor() {
    super("this link of the shop is unknown, was used already, or has expired");
  }
}

/** The thing has been ordered, but is not there yet. */
export class NotReady extends Error {
  override readonly name = "NotReady";
  readonly code = "conflict" satisfies FailureCode;
  readonly retrySeconds = 2;
}

/** The key that a session was opened with works no longer. */
export class KeyRevoked extends Error {
  override readonly name = "KeyRevoked";
  readonly code = "unauthorized" satisfies FailureCode;
  /** Whether a key or token was presented. */
  readonly presented = true;
  constructor() {
    super("the API key of this session has been revoked");
  }
}

/** No stream is open for a session of this id, on any node. */
export class NoSuchSession extends Error {
  override readonly name = "NoSuchSession";
  readonly code = "not_found" satisfies FailureCode;
  constructor() {
    super("there is no such session, or its stream has been closed");
  }
}

/** The key holds as many sessions as it may. */
export class TooManySessions extends Error {
  override readonly name = "TooManySessions";
  readonly code = "rate_limited" satisfies FailureCode;
  readonly retrySeconds = 60;
  constructor(maximum: number) {
    super(`this key has ${maximum} open sessions: close one of them first`);
  }
}

/** More messages came than the session's node has taken up. */
export class SessionBusy extends Error {
  override readonly name = "SessionBusy";
  readonly code = "overloaded" satisfies FailureCode;
  constructor(waiting: number) {
    super(`${waiting} messages of this session are waiting already`);
  }
}

/** What was sent to a session is no message of its protocol. */
export class MalformedMessage extends Error {
  override readonly name = "MalformedMessage";
  readonly code = "malformed_request" satisfies FailureCode;
}
