/** An example of each failure code: the problem of an error that has it. */
import { AccountFrozen, PlanRequired } from "../../actions/accounts.ts";
import { ScopeRequired } from "../../actions/api-keys.ts";
import {
  Conflict,
  CorruptedContent,
  CreditsExhausted,
  InvalidInput,
  NotFound,
  Overloaded,
  PayloadTooLarge,
  QuotaExceeded,
  SourceUnreachable,
  SourceUnreadable,
  VersionMismatch,
} from "../../actions/errors.ts";
import type { FailureCode } from "../../actions/failures.ts";
import { IdempotencyInFlight, IdempotencyMismatch } from "../../actions/idempotency.ts";
import { OperatorRequired } from "../../actions/operator.ts";
import { RateLimited } from "../../actions/rate-limits.ts";
import { RenderTimeout } from "../../actions/renders.ts";
import { LinkGone } from "../../actions/tokens.ts";
import {
  GuestRefused,
  MalformedJson,
  MalformedRequest,
  MethodNotAllowed,
  OriginRefused,
  RangeNotSatisfiable,
  RequestTimeout,
  Unauthorized,
  Unavailable,
  UnsupportedMediaType,
} from "../errors.ts";
import { problemOf } from "../problem.ts";

const REQUEST_ID = "0b6d1d1e-6f0e-4c6b-9d8b-0f3f5e2a7c11";

const WRONG_SIZE = {
  path: "/size",
  message: "is wrong: expected an integer from 16 to 8192, got 9000",
  expected: "an integer from 16 to 8192",
  received: "9000",
};

const USED_UP = {
  limit: { quota: 120, windowSeconds: 60 },
  allowed: false,
  remaining: 0,
  resetMs: 21_000,
};

const ERRORS: Readonly<Record<FailureCode, Error>> = {
  malformed_json: new MalformedJson("Unexpected end of JSON input"),
  malformed_request: new MalformedRequest("the body ended in the middle"),
  unauthorized: new Unauthorized("the API key is unknown, mistyped or revoked", true),
  account_frozen: new AccountFrozen(4),
  credits_exhausted: new CreditsExhausted(1),
  scope_required: new ScopeRequired("write"),
  plan_required: new PlanRequired("starter"),
  operator_required: new OperatorRequired(),
  origin_refused: new OriginRefused("Origin", "https://elsewhere.example"),
  guest_refused: new GuestRefused(),
  not_found: new NotFound("pattern 12"),
  method_not_allowed: new MethodNotAllowed("PUT", ["DELETE", "GET", "PATCH"]),
  request_timeout: new RequestTimeout("nothing of the body arrived for 30 seconds"),
  conflict: new Conflict("a pattern uses source 31"),
  quota_exceeded: new QuotaExceeded("patterns", { limit: 1000, used: 1000, wanted: 1 }),
  idempotency_in_flight: new IdempotencyInFlight(
    "a request with this Idempotency-Key is in progress",
  ),
  gone: new LinkGone("the link has expired"),
  precondition_failed: new VersionMismatch("pattern 12"),
  payload_too_large: new PayloadTooLarge("the body", 1024 * 1024),
  unsupported_media_type: UnsupportedMediaType.ofType("POST", ["application/json"], "text/plain"),
  range_not_satisfiable: new RangeNotSatisfiable(48_213),
  validation_failed: new InvalidInput([WRONG_SIZE]),
  source_unreadable: new SourceUnreadable("the PNG file holds something else"),
  idempotency_mismatch: new IdempotencyMismatch("the Idempotency-Key was used for another request"),
  rate_limited: new RateLimited(USED_UP),
  source_unreachable: new SourceUnreachable("example.com answered 404", {}),
  internal: new Error(),
  content_corrupted: new CorruptedContent("export 3", { remedy: "order it again" }),
  overloaded: new Overloaded(64),
  unavailable: new Unavailable("the service is stopping"),
  render_timeout: new RenderTimeout(60_000),
  insufficient_storage: Object.assign(new Error(), { code: "ENOSPC" }),
};

/** The examples of these codes by their names, as components of the document. */
export function problemExamples(codes: ReadonlySet<FailureCode>) {
  return Object.fromEntries(
    [...codes].map((code) => {
      const { body } = problemOf(ERRORS[code], { requestId: REQUEST_ID, place: "body" });
      return [code, { summary: body.title, value: body }];
    }),
  );
}

/** Returns the names of the headers that a response with this code has. */
export function headersOf(code: FailureCode): string[] {
  return Object.keys(problemOf(ERRORS[code], { requestId: REQUEST_ID, place: "body" }).headers);
}
