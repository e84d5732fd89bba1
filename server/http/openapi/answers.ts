/** What a route answers, in OpenAPI's words. */
import { schemaOrReference } from "../../actions/json-schema.ts";
import { PROBLEMS, Problem, type ProblemCode } from "../problem.ts";
import type { Documented, Route } from "../route.ts";
import { exampleOf } from "./example-of.ts";
import { type SharedHeader, sharedHeaders } from "./headers.ts";
import { headersOf } from "./problem-examples.ts";
import { OUTPUT } from "./styles.ts";

/** The answers of a route by their status, those to requests that fail among them. */
export function responsesOf(route: Route) {
  const answers = Object.entries(route.responses).map(([status, documented]) => [
    status,
    answer(route, documented, status === "206" ? ["Content-Range"] : []),
  ]);
  return { ...Object.fromEntries(answers), ...problems(route) };
}

function answer(route: Route, documented: Documented, further: readonly SharedHeader[]) {
  const { description, schema, example, mediaTypes = [] } = documented;
  const binary = mediaTypes.map((type) => [type, { schema: { type: "string", format: "binary" } }]);
  const value = example ?? (schema && exampleOf(schema, false));
  const json = schema && { schema: schemaOrReference(schema, OUTPUT), example: value };
  return {
    description,
    headers: {
      ...textHeaders(documented.headers, true),
      ...textHeaders(documented.someHeaders, false),
      ...sharedHeaders([...further, ...limitHeaders(route)]),
      ...(route.isIdempotent && sharedHeaders(["Idempotency-Replayed"])),
    },
    ...((json || binary.length > 0) && {
      content: { ...Object.fromEntries(binary), ...(json && { "application/json": json }) },
    }),
  };
}

function textHeaders(headers: Readonly<Record<string, string>> = {}, required: boolean) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, required, schema: { type: "string" } },
    ]),
  );
}

/** Requests are counted once it is known who calls and that they may. */
function limitHeaders({ auth, addressLimit }: Route): SharedHeader[] {
  return auth === "none" && !addressLimit ? [] : ["RateLimit", "RateLimit-Policy"];
}

/** The codes that a route can answer with: those that follow from its fields, and its own. */
export function problemCodes(route: Route): ProblemCode[] {
  const codes: ProblemCode[] = ["internal", "unavailable", ...(route.problems ?? [])];
  if (route.auth !== "none") codes.push("unauthorized", "account_frozen");
  if (route.auth !== "none" && (route.auth !== "jwt" || route.programmatic)) {
    codes.push("plan_required");
  }
  if (route.auth !== "none" || route.addressLimit) codes.push("rate_limited");
  if (route.auth === "any" && !route.takesGuests) codes.push("guest_refused");
  if (route.isOwnOriginOnly) codes.push("origin_refused");
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
    codes.push("unsupported_media_type");
  }
  return codes;
}

function problems(route: Route) {
  const codes = Map.groupBy(new Set(problemCodes(route)), (code) => PROBLEMS[code].status);
  return Object.fromEntries([...codes].map(([status, list]) => [status, problem(route, list)]));
}

/** Statuses of requests that end before they are counted, or in the middle of a fault. */
const UNCOUNTED = new Set([401, 402, 403, 500, 503, 504]);

function isCounted({ addressLimit, auth }: Route, status: number): boolean {
  if (addressLimit) return status < 500;
  // Of a session that there is not, nobody knows whose it would be.
  return !UNCOUNTED.has(status) && !(auth === "session" && [400, 404].includes(status));
}

function problem(route: Route, codes: readonly ProblemCode[]) {
  const { status } = PROBLEMS[codes[0]];
  const counted = isCounted(route, status);
  const headers = new Set(codes.flatMap(headersOf));
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(" "),
    headers: {
      ...sharedHeaders([...headers] as SharedHeader[]),
      ...(counted && sharedHeaders(limitHeaders(route))),
    },
    content: {
      "application/problem+json": {
        schema: schemaOrReference(Problem, OUTPUT),
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  };
}
