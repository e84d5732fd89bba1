/**
 * Errors as the API tells them: problem details (RFC 9457) with a stable code. The one place
 * that knows which status belongs to which error.
 */
import Type, { type Static } from "typebox";
import {
  AccountFrozen,
  ChangedMeanwhile,
  Conflict,
  CorruptedContent,
  CreditsExhausted,
  DeadHandoff,
  DeadlineExceeded,
  DeadMailToken,
  ENFORCED_QUOTAS,
  IdempotencyInFlight,
  IdempotencyMismatch,
  InvalidInput,
  InvalidRecipe,
  isDatabaseAway,
  isDatabaseDamaged,
  isDiskFull,
  KeyRevoked,
  LinkGone,
  MalformedMessage,
  NoSuchSession,
  NotFound,
  NotOffered,
  NotReady,
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
  TooManySessions,
  TooMuchInFlight,
  UnknownLink,
  type ValidationIssue,
  WrongPassword,
} from "../actions/failures.ts";
import { strict } from "../actions/fields.ts";
import { ReadinessChecks } from "../actions/readiness.ts";
import {
  ForeignOrigin,
  GuestRefused,
  type InputIssue,
  MalformedJson,
  MalformedRequest,
  MethodNotAllowed,
  NoSuchPath,
  NotReadyToServe,
  RangeNotSatisfiable,
  RequestTimeout,
  Unauthorized,
  Unavailable,
  UnsupportedMediaType,
} from "./errors.ts";

/** Every code with its status and title; `/docs/problems` and the OpenAPI document list them. */
export const PROBLEMS = {
  malformed_json: { status: 400, title: "Malformed JSON" },
  malformed_request: { status: 400, title: "Malformed request" },
  unauthorized: { status: 401, title: "Unauthorized" },
  account_frozen: { status: 402, title: "Account frozen" },
  credits_exhausted: { status: 402, title: "Credits exhausted" },
  plan_required: { status: 403, title: "Plan upgrade required" },
  origin_refused: { status: 403, title: "Origin not allowed" },
  guest_refused: { status: 403, title: "Not available to guest sessions" },
  not_found: { status: 404, title: "Resource not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  request_timeout: { status: 408, title: "Request timeout" },
  conflict: { status: 409, title: "Conflict" },
  quota_exceeded: { status: 409, title: "Quota exceeded" },
  idempotency_in_flight: { status: 409, title: "Request already in progress" },
  gone: { status: 410, title: "Gone" },
  precondition_failed: { status: 412, title: "Precondition failed" },
  payload_too_large: { status: 413, title: "Payload too large" },
  unsupported_media_type: { status: 415, title: "Unsupported media type" },
  range_not_satisfiable: { status: 416, title: "Range not satisfiable" },
  validation_failed: { status: 422, title: "Validation failed" },
  source_unreadable: { status: 422, title: "Source unreadable" },
  idempotency_mismatch: { status: 422, title: "Idempotency key reused" },
  rate_limited: { status: 429, title: "Too many requests" },
  source_unreachable: { status: 422, title: "Source unreachable" },
  internal: { status: 500, title: "Internal server error" },
  content_corrupted: { status: 500, title: "Stored content corrupted" },
  overloaded: { status: 503, title: "Service overloaded" },
  unavailable: { status: 503, title: "Service unavailable" },
  render_timeout: { status: 504, title: "Render timed out" },
  insufficient_storage: { status: 507, title: "Insufficient storage" },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** The body of every error. */
export const Problem = Type.Object(
  {
    type: Type.String({
      format: "uri-reference",
      description: "URL of the documentation of the code.",
    }),
    title: Type.String({ description: "Summary of the problem type; the same for each code." }),
    status: Type.Integer({ description: "The HTTP status code." }),
    detail: Type.String({ description: "Explanation of this occurrence." }),
    code: Type.Enum(Object.keys(PROBLEMS) as ProblemCode[], {
      description: "Stable identifier of the problem type, for programs.",
    }),
    request_id: Type.String({
      description: "Also in the header `X-Request-Id` and in the server's log.",
    }),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            in: Type.Optional(
              Type.Enum(["path", "query", "header", "body"], {
                description: "Part of the request.",
              }),
            ),
            path: Type.String({ description: "JSON pointer into that part." }),
            message: Type.String(),
            expected: Type.Optional(Type.String()),
            received: Type.Optional(Type.String()),
          },
          strict,
        ),
        { description: "What is wrong with the input, one entry for each place." },
      ),
    ),
    quota: Type.Optional(
      Type.Enum([...ENFORCED_QUOTAS], { description: "With `quota_exceeded`: which quota." }),
    ),
    limit: Type.Optional(Type.Integer({ description: "With `quota_exceeded`: its limit." })),
    used: Type.Optional(
      Type.Integer({ description: "With `quota_exceeded`: what is used, without this request." }),
    ),
    checks: Type.Optional(ReadinessChecks),
  },
  { ...strict, description: "Problem details (RFC 9457)." },
);
export type Problem = Static<typeof Problem>;

interface Told {
  readonly code: ProblemCode;
  /** Left out: the error's own message. */
  readonly detail?: string;
  readonly errors?: readonly ValidationIssue[];
  readonly facts?: Pick<Problem, "quota" | "limit" | "used" | "checks">;
  readonly headers?: Readonly<Record<string, string>>;
}

const retryAfter = (seconds: number) => ({ "Retry-After": String(seconds) });
const SOON = retryAfter(2);

const NOTHING_THERE = [
  NotFound,
  NoSuchPath,
  NoSuchSession,
  NotOffered,
  UnknownLink,
  DeadHandoff,
  DeadMailToken,
];

function tell(error: unknown): Told {
  if (error instanceof MalformedJson) return { code: "malformed_json" };
  if (error instanceof MalformedMessage) return { code: "malformed_request" };
  if (error instanceof MalformedRequest) {
    return { code: "malformed_request", ...(error.issues.length > 0 && { errors: error.issues }) };
  }
  if (error instanceof Unauthorized)
    return { code: "unauthorized", headers: challenge(error.presented) };
  if (error instanceof KeyRevoked) return { code: "unauthorized", headers: challenge(true) };
  if (error instanceof GuestRefused) return { code: "guest_refused" };
  if (error instanceof ForeignOrigin) return { code: "origin_refused" };
  if (error instanceof WrongPassword) return { code: "unauthorized", headers: challenge(false) };
  if (error instanceof AccountFrozen) return { code: "account_frozen" };
  if (error instanceof CreditsExhausted) return { code: "credits_exhausted" };
  if (error instanceof PlanRequired) return { code: "plan_required" };
  if (NOTHING_THERE.some((kind) => error instanceof kind)) return { code: "not_found" };
  if (error instanceof LinkGone) return { code: "gone" };
  if (error instanceof MethodNotAllowed) {
    return { code: "method_not_allowed", headers: { Allow: error.allowed.join(", ") } };
  }
  if (error instanceof QuotaExceeded) {
    const { quota, limit, used } = error;
    return { code: "quota_exceeded", facts: { quota, limit, used } };
  }
  if (error instanceof Conflict) return { code: "conflict" };
  if (error instanceof NotReady) return { code: "conflict", headers: SOON };
  if (error instanceof IdempotencyInFlight) {
    return { code: "idempotency_in_flight", headers: retryAfter(1) };
  }
  if (error instanceof IdempotencyMismatch) return { code: "idempotency_mismatch" };
  if (error instanceof ChangedMeanwhile) return { code: "precondition_failed" };
  if (error instanceof TooManyBytes) return { code: "payload_too_large" };
  if (error instanceof SourceTooLarge) return { code: "payload_too_large" };
  if (error instanceof UnsupportedMediaType) {
    return { code: "unsupported_media_type", headers: error.accepted };
  }
  if (error instanceof RangeNotSatisfiable) {
    const headers = { "Content-Range": `bytes */${error.length}` };
    return { code: "range_not_satisfiable", headers };
  }
  if (error instanceof InvalidInput || error instanceof InvalidRecipe) {
    return { code: "validation_failed", errors: error.issues };
  }
  if (error instanceof SourceUnreachable) return { code: "source_unreachable" };
  if (error instanceof SourceUnreadable) return { code: "source_unreadable" };
  if (error instanceof RateLimited) {
    return { code: "rate_limited", headers: retryAfter(error.retrySeconds) };
  }
  if (error instanceof TooMuchInFlight) {
    return { code: "rate_limited", headers: retryAfter(error.retrySeconds) };
  }
  if (error instanceof RequestTimeout) return { code: "request_timeout" };
  if (error instanceof TooManySessions) return { code: "rate_limited", headers: retryAfter(60) };
  if (error instanceof SessionBusy) return { code: "overloaded", headers: SOON };
  if (error instanceof RenderTimeout || error instanceof DeadlineExceeded) {
    return { code: "render_timeout", headers: SOON };
  }
  if (error instanceof Overloaded) return { code: "overloaded", headers: SOON };
  if (error instanceof NotReadyToServe) {
    return { code: "unavailable", headers: SOON, facts: { checks: error.checks } };
  }
  if (error instanceof Unavailable) return { code: "unavailable", headers: SOON };
  if (error instanceof CorruptedContent) return { code: "content_corrupted" };
  if (isDatabaseDamaged(error)) {
    return { code: "content_corrupted", detail: "the database reports that its files are damaged" };
  }
  if (isDiskFull(error)) {
    const detail = "a disk of the service is full";
    return { code: "insufficient_storage", detail, headers: retryAfter(60) };
  }
  if (isDatabaseAway(error)) {
    return { code: "unavailable", detail: "the database does not answer", headers: SOON };
  }
  return { code: "internal", detail: "The error is in our log under this request_id." };
}

/** RFC 6750, section 3: an error word only when a token was presented. */
function challenge(presented: boolean) {
  const error = presented ? ', error="invalid_token"' : "";
  return { "WWW-Authenticate": `Bearer realm="orbifold"${error}` };
}

/** The request that an error belongs to. */
export interface Occurrence {
  readonly requestId: string;
  /** See `basePathOf`. */
  readonly basePath?: string;
  /** Where invalid input came from, for issues that do not say it. */
  readonly place?: InputIssue["in"] | undefined;
  /** See `Route`. */
  readonly retrySeconds?: number | undefined;
}

/** What to answer to an error: the headers that belong to it and the body with its status. */
export function problemOf(
  error: unknown,
  { requestId, basePath = "", place, retrySeconds }: Occurrence,
): { headers: Readonly<Record<string, string>>; body: Problem } {
  const { code, detail, errors, facts, headers = {} } = tell(error);
  const { status, title } = PROBLEMS[code];
  const body: Problem = {
    type: `${basePath}/docs/problems#${code}`,
    title,
    status,
    detail: detail ?? (error as Error).message,
    code,
    request_id: requestId,
    ...(errors && { errors: errors.map((issue) => ({ ...(place && { in: place }), ...issue })) }),
    ...facts,
  };
  if (code === "rate_limited" && retrySeconds !== undefined) {
    return { headers: { ...headers, ...retryAfter(retrySeconds) }, body };
  }
  return { headers, body };
}
