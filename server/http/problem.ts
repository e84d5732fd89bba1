/** Errors as the API reports them: problem details (RFC 9457) with a stable code. */
import Type, { type Static } from "typebox";
import { ENFORCED_QUOTAS, QuotaExceeded, SHOP_UNAVAILABLE } from "../actions/errors.ts";
import { FAILURE_CODES, type FailureCode, failureOf } from "../actions/failures.ts";
import { strict } from "../actions/fields.ts";
import { ReadinessChecks } from "../actions/readiness.ts";
import {
  type InputIssue,
  type MethodNotAllowed,
  ReadinessFailed,
  type Unauthorized,
} from "./errors.ts";

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
    code: Type.Enum([...FAILURE_CODES], {
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
  /** Part of the request with invalid input, for issues that do not name it. */
  readonly place?: InputIssue["in"] | undefined;
  /** See `Route`. */
  readonly retrySeconds?: number | undefined;
  /** Whether the caller is a shop's customer, whom the shop's account does not concern. */
  readonly isGuest?: boolean;
}

const ABOUT_ACCOUNT: ReadonlySet<FailureCode> = new Set([
  "account_frozen",
  "credits_exhausted",
  "plan_required",
  "quota_exceeded",
]);

/** Returns what a customer reads of an error. */
function guestDetail(error: unknown, code: FailureCode, detail: string): string {
  if (isHandoffQuota(error)) return "the shop allows no more pictures and patterns in this session";
  return ABOUT_ACCOUNT.has(code) ? SHOP_UNAVAILABLE : detail;
}

/** Fields of some errors on which headers depend. */
type HeaderFields = Partial<Pick<Unauthorized, "presented"> & Pick<MethodNotAllowed, "headers">>;

/** Returns the response to an error: the headers that belong to it, and the body with its status. */
export function problemOf(
  error: unknown,
  { requestId, basePath = "", place, retrySeconds: routeRetrySeconds, isGuest }: Occurrence,
): { headers: Readonly<Record<string, string>>; body: Problem } {
  const { code, status, title, detail, issues, ...failure } = failureOf(error);
  const limited = code === "rate_limited" ? routeRetrySeconds : undefined;
  const retrySeconds = limited ?? failure.retrySeconds;
  const { presented = false, headers = {} } = error as HeaderFields;
  const body: Problem = {
    type: `${basePath}/docs/problems#${code}`,
    title,
    status,
    detail: isGuest ? guestDetail(error, code, detail) : detail,
    code,
    request_id: requestId,
    ...(issues.length > 0 && {
      errors: issues.map((issue) => ({ ...(place && { in: place }), ...issue })),
    }),
    ...(isGuest && !isHandoffQuota(error) ? {} : factsOf(error)),
  };
  return {
    headers: {
      ...headers,
      ...(code === "unauthorized" && challenge(presented)),
      ...(retrySeconds !== undefined && { "Retry-After": String(retrySeconds) }),
    },
    body,
  };
}

const isHandoffQuota = (error: unknown) =>
  error instanceof QuotaExceeded && /^handoff_/.test(error.quota);

function factsOf(error: unknown): Pick<Problem, "quota" | "limit" | "used" | "checks"> {
  if (error instanceof ReadinessFailed) return { checks: error.checks };
  if (!(error instanceof QuotaExceeded)) return {};
  const { quota, limit, used } = error;
  return { quota, limit, used };
}
