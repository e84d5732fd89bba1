/** Error responses of routes, which the document defines once for each set of codes. */

import { FAILURE_CODES, FAILURES, type FailureCode } from "../../actions/failures.ts";
import { schemaOrReference } from "../../actions/json-schema.ts";
import { Problem } from "../problem.ts";
import type { Route } from "../route.ts";
import { type SharedHeader, sharedHeaders } from "./headers.ts";
import { REFUSED } from "./mcp-examples.ts";
import { headersOf } from "./problem-examples.ts";
import { OUTPUT } from "./schema-options.ts";

const RPC_ERROR = {
  type: "object",
  description:
    "A JSON-RPC 2.0 error for the call's id, or for null where that is not known. `data.code` is the problem's code.",
};

/** Returns the failure codes of a route: those that follow from its fields, and its own. */
export function problemCodes(route: Route): FailureCode[] {
  const codes: FailureCode[] = ["internal", "unavailable", ...(route.problems ?? [])];
  if (route.auth !== "none" || route.method !== "GET") {
    codes.push("content_corrupted", "insufficient_storage");
  }
  if (route.auth !== "none") codes.push("unauthorized", "account_frozen");
  if (route.auth !== "none" && (route.auth !== "jwt" || route.programmatic)) {
    codes.push("plan_required");
  }
  if (route.isForOperators) codes.push("operator_required");
  if (route.auth === "any" || route.auth === "key") codes.push("scope_required");
  if (route.auth !== "none" || route.addressLimit) codes.push("rate_limited");
  if (route.auth === "any" && !route.allowsGuests) codes.push("guest_refused");
  if (route.isSameOriginOnly) codes.push("origin_refused");
  if (route.auth === "session") codes.push("not_found", "malformed_request");
  if (route.isIdempotent) {
    codes.push("malformed_request", "idempotency_in_flight", "idempotency_mismatch");
  }
  if (route.responses[206]) codes.push("range_not_satisfiable");
  if (route.cost > 0) codes.push("credits_exhausted");
  if (route.params) codes.push("not_found");
  if (route.body || route.query) codes.push("validation_failed");
  if (route.problems?.includes("precondition_failed")) codes.push("malformed_request");
  if (route.body) {
    codes.push("malformed_json", "malformed_request", "payload_too_large");
    codes.push("unsupported_media_type", "request_timeout", "rate_limited", "overloaded");
  }
  return codes;
}

/** The codes of a route by their status, in the order of `FAILURES`. */
function codesByStatus(route: Route): Map<number, FailureCode[]> {
  const own = new Set(problemCodes(route));
  const codes = FAILURE_CODES.filter((code) => own.has(code));
  return Map.groupBy(codes, (code) => FAILURES[code].status);
}

/** The error responses of a route by their status, as references to `problemResponses`. */
export function problemReferences(route: Route) {
  return Object.fromEntries(
    [...codesByStatus(route)].map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${nameOf(codes, route.isJsonRpc)}` },
    ]),
  );
}

/** The error responses of all routes by their names. */
export function problemResponses(routes: readonly Route[]) {
  const named = routes.flatMap((route) =>
    [...codesByStatus(route).values()].map((codes) => {
      const { isJsonRpc } = route;
      return [nameOf(codes, isJsonRpc), response(codes, isJsonRpc)] as const;
    }),
  );
  return Object.fromEntries(named.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** `not_found` → `NotFound`, or `RpcNotFound` in JSON-RPC; several codes are joined by `Or`. */
function nameOf(codes: readonly FailureCode[], isJsonRpc = false): string {
  const words = codes.map((code) =>
    code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );
  return `${isJsonRpc ? "Rpc" : ""}${words.join("Or")}`;
}

function response(codes: readonly FailureCode[], isJsonRpc = false) {
  const headers = new Set(codes.flatMap(headersOf));
  const examples = Object.fromEntries(
    codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
  );
  return {
    description: codes.map((code) => `\`${code}\`: ${FAILURES[code].title}.`).join(" "),
    headers: sharedHeaders([...headers] as SharedHeader[]),
    content: isJsonRpc
      ? { "application/json": { schema: RPC_ERROR, example: REFUSED } }
      : { "application/problem+json": { schema: schemaOrReference(Problem, OUTPUT), examples } },
  };
}
