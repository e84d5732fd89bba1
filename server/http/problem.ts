/**
 * Errors as the API tells them: problem details (RFC 9457) with a stable code. The one place
 * that knows which status belongs to which error.
 */
import Type, { type Static } from "typebox";
import {
  AccountFrozen,
  ChangedMeanwhile,
  type Complaint,
  Conflict,
  CreditsExhausted,
  DeadHandoff,
  DeadLink,
  IdempotencyInFlight,
  IdempotencyMismatch,
  InvalidInput,
  InvalidRecipe,
  isDatabaseAway,
  KeyRevoked,
  MalformedMessage,
  NoSuchSession,
  NotFound,
  NotOffered,
  NotReady,
  Overloaded,
  PlanRequired,
  RateLimited,
  RenderTimeout,
  SessionBusy,
  SourceTooLarge,
  SourceUnreachable,
  SourceUnreadable,
  TooManyBytes,
  TooManySessions,
  WrongPassword,
} from "../actions/failures.ts";
import { strict } from "../actions/resources/fields.ts";
import {
  ForeignOrigin,
  GuestRefused,
  MalformedJson,
  MalformedRequest,
  MethodNotAllowed,
  NoSuchPath,
  RangeNotSatisfiable,
  Unauthorized,
  Unavailable,
  UnsupportedMediaType,
} from "./errors.ts";

/** Every code with its status and title; `/docs/problems` and the OpenAPI document list them. */
export const PROBLEMS = {
  malformed_json: { status: 400, title: "The body is not JSON" },
  malformed_request: { status: 400, title: "The request cannot be read" },
  unauthorized: { status: 401, title: "No valid key or token" },
  account_frozen: { status: 402, title: "The account is frozen" },
  credits_exhausted: { status: 402, title: "Too few credits" },
  plan_required: { status: 403, title: "The plan does not include this" },
  origin_refused: { status: 403, title: "Not for this host or origin" },
  guest_refused: { status: 403, title: "Not for a shop's guest" },
  not_found: { status: 404, title: "There is no such thing" },
  method_not_allowed: { status: 405, title: "Not with this method" },
  conflict: { status: 409, title: "Something else stands against it" },
  idempotency_in_flight: { status: 409, title: "The same request is being worked on" },
  precondition_failed: { status: 412, title: "Changed in the meantime" },
  payload_too_large: { status: 413, title: "Too large" },
  unsupported_media_type: { status: 415, title: "A body of this type is not read" },
  range_not_satisfiable: { status: 416, title: "There is no such part" },
  validation_failed: { status: 422, title: "The input is not valid" },
  source_unreadable: { status: 422, title: "The source is no picture that can be read" },
  idempotency_mismatch: { status: 422, title: "The key belongs to another request" },
  rate_limited: { status: 429, title: "Too many requests" },
  source_unreachable: { status: 422, title: "The source cannot be fetched" },
  internal: { status: 500, title: "Something went wrong here" },
  overloaded: { status: 503, title: "Too many others are waiting" },
  unavailable: { status: 503, title: "The service cannot answer just now" },
  render_timeout: { status: 504, title: "The render took too long" },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** The body of every error. */
export const Problem = Type.Object(
  {
    type: Type.String({ format: "uri-reference", description: "Where the code is explained." }),
    title: Type.String({ description: "The kind of problem; the same for each of its kind." }),
    status: Type.Integer(),
    detail: Type.String({ description: "What went wrong this time." }),
    code: Type.Enum(Object.keys(PROBLEMS) as ProblemCode[], {
      description: "A stable word for programs.",
    }),
    request_id: Type.String({ description: "Also in the header X-Request-Id and in our log." }),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            path: Type.String({ description: "JSON pointer into the body or the query." }),
            message: Type.String(),
            expected: Type.Optional(Type.String()),
            received: Type.Optional(Type.String()),
          },
          strict,
        ),
        { description: "What is wrong with the input, one entry for each place." },
      ),
    ),
  },
  { ...strict, description: "Problem details (RFC 9457)." },
);
export type Problem = Static<typeof Problem>;

interface Told {
  readonly code: ProblemCode;
  /** Left out: the error's own message. */
  readonly detail?: string;
  readonly errors?: readonly Complaint[];
  readonly headers?: Readonly<Record<string, string>>;
}

const retryAfter = (seconds: number) => ({ "Retry-After": String(seconds) });
const SOON = retryAfter(2);

const NOTHING_THERE = [NotFound, NoSuchPath, NoSuchSession, NotOffered, DeadLink, DeadHandoff];

function tell(error: unknown): Told {
  if (error instanceof MalformedJson) return { code: "malformed_json" };
  if (error instanceof MalformedMessage) return { code: "malformed_request" };
  if (error instanceof MalformedRequest) return { code: "malformed_request" };
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
  if (error instanceof MethodNotAllowed) {
    return { code: "method_not_allowed", headers: { Allow: error.allowed.join(", ") } };
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
  if (error instanceof UnsupportedMediaType) return { code: "unsupported_media_type" };
  if (error instanceof RangeNotSatisfiable) {
    const headers = { "Content-Range": `bytes */${error.length}` };
    return { code: "range_not_satisfiable", headers };
  }
  if (error instanceof InvalidInput || error instanceof InvalidRecipe) {
    return { code: "validation_failed", errors: error.complaints };
  }
  if (error instanceof SourceUnreachable) return { code: "source_unreachable" };
  if (error instanceof SourceUnreadable) return { code: "source_unreadable" };
  if (error instanceof RateLimited) {
    return { code: "rate_limited", headers: retryAfter(error.retrySeconds) };
  }
  if (error instanceof TooManySessions) return { code: "rate_limited", headers: retryAfter(60) };
  if (error instanceof SessionBusy) return { code: "overloaded", headers: SOON };
  if (error instanceof RenderTimeout) return { code: "render_timeout", headers: SOON };
  if (error instanceof Overloaded) return { code: "overloaded", headers: SOON };
  if (error instanceof Unavailable) return { code: "unavailable", headers: SOON };
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

/** What to answer to an error: the headers that belong to it and the body with its status. */
export function problemOf(
  error: unknown,
  requestId: string,
): { headers: Readonly<Record<string, string>>; body: Problem } {
  const { code, detail, errors, headers = {} } = tell(error);
  const { status, title } = PROBLEMS[code];
  const body: Problem = {
    type: `/docs/problems#${code}`,
    title,
    status,
    detail: detail ?? (error as Error).message,
    code,
    request_id: requestId,
    ...(errors && { errors: [...errors] }),
  };
  return { headers, body };
}
