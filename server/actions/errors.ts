/** Errors of actions, each with a code; see `FAILURES` for what follows from it. */
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

/** The resource does not exist in this account; it may exist in another one. */
export class NotFound extends Error {
  override readonly name = "NotFound";
  readonly code = "not_found" satisfies FailureCode;
  /** The resource, e.g. `pattern 12`. */
  readonly thing: string;
  constructor(thing: string) {
    super(`there is no ${thing} in this account`);
    this.thing = thing;
  }
}

/** Returns a row that was found. Throws NotFound for null. */
export function requireFound<Found>(found: Found | null, thing: string): Found {
  if (found === null) throw new NotFound(thing);
  return found;
}

/** The input is invalid. */
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

/** Returns the issue of a value at `path`; `says` is a more specific message. */
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

/** The resource is not in the version that the caller expects; nothing was written. */
export class VersionMismatch extends Error {
  override readonly name = "VersionMismatch";
  readonly code = "precondition_failed" satisfies FailureCode;
  constructor(thing: string) {
    super(`${thing} is no longer in the expected version`);
  }
}

/** The image cannot be fetched from its URL. */
export class SourceUnreachable extends Error {
  override readonly name = "SourceUnreachable";
  readonly code = "source_unreachable" satisfies FailureCode;
  constructor(why: string, options: ErrorOptions) {
    super(`the picture could not be fetched: ${why}`, options);
  }
}

/** The input exceeds its maximum size. */
export class PayloadTooLarge extends Error {
  override readonly name = "PayloadTooLarge";
  readonly code = "payload_too_large" satisfies FailureCode;
  readonly maximum: number;
  constructor(what: string, maximum: number) {
    super(`${what} exceeds the maximum of ${maximum} bytes`);
    this.maximum = maximum;
  }
}

/** This installation does not offer the operation. */
export class FeatureDisabled extends Error {
  override readonly name = "FeatureDisabled";
  readonly code = "not_found" satisfies FailureCode;
}

const WHY_NOT = {
  unknown: "this link is not one of this service, or incomplete",
  used: "this link was used already: it opens the editor once",
  expired: "this link has expired: it works for 24 hours",
};

/** The token of a handoff opens no session. */
export class InvalidHandoffToken extends Error {
  override readonly name = "InvalidHandoffToken";
  readonly code = "not_found" satisfies FailureCode;
  constructor(reason: keyof typeof WHY_NOT) {
    super(WHY_NOT[reason]);
  }
}

/** What customers read instead of the state of the shop's account. */
export const SHOP_UNAVAILABLE = "the shop cannot take designs right now";

/** The account of a customer's shop is frozen, or its plan has no handoffs. */
export class ShopUnavailable extends Error {
  override readonly name = "ShopUnavailable";
  readonly code: FailureCode;
  constructor(code: FailureCode, options: ErrorOptions) {
    super(SHOP_UNAVAILABLE, options);
    this.code = code;
  }
}

/** The result of a background job is not available yet. */
export class NotReady extends Error {
  override readonly name = "NotReady";
  readonly code = "conflict" satisfies FailureCode;
  readonly retrySeconds = 2;
}

/** The key of a session has been revoked. */
export class KeyRevoked extends Error {
  override readonly name = "KeyRevoked";
  readonly code = "unauthorized" satisfies FailureCode;
  /** Whether a key or token was presented. */
  readonly presented = true;
  constructor() {
    super("the API key of this session has been revoked");
  }
}

/** There is no open session with this id, on any node. */
export class SessionNotFound extends Error {
  override readonly name = "SessionNotFound";
  readonly code = "not_found" satisfies FailureCode;
  constructor() {
    super("there is no such session, or its stream has been closed");
  }
}

/** The key has the maximum number of sessions. */
export class TooManySessions extends Error {
  override readonly name = "TooManySessions";
  readonly code = "rate_limited" satisfies FailureCode;
  readonly retrySeconds = 60;
  constructor(maximum: number) {
    super(`this key has ${maximum} open sessions: close one of them first`);
  }
}

/** Too many messages wait for the session's node. */
export class SessionBusy extends Error {
  override readonly name = "SessionBusy";
  readonly code = "overloaded" satisfies FailureCode;
  constructor(waiting: number) {
    super(`${waiting} messages of this session are waiting already`);
  }
}

/** The message is not a JSON-RPC message. */
export class MalformedMessage extends Error {
  override readonly name = "MalformedMessage";
  readonly code = "malformed_request" satisfies FailureCode;
}
