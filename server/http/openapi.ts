/** The OpenAPI 3.1 document, made of the routes. */
import Type, { type TSchema } from "typebox";
import { Account } from "../actions/resources/account.ts";
import { ApiKey } from "../actions/resources/api-key.ts";
import { Pattern } from "../actions/resources/pattern.ts";
import { Source } from "../actions/resources/source.ts";
import { type JsonSchema, jsonSchema, type Style, schemaOrReference } from "./json-schema.ts";
import { PROBLEMS, Problem, type ProblemCode } from "./problem.ts";
import { queryForm } from "./query.ts";
import type { Documented, Route } from "./route.ts";

/** Answers that have a name of their own in the document. */
const NAMED = new Map<TSchema, string>(
  Object.entries({ Account, ApiKey, Pattern, Problem, Source }).map(([name, schema]) => [
    schema,
    name,
  ]),
);

const OUTPUT: Style = { input: false, defaults: false, names: NAMED };
const INPUT: Style = { input: true, defaults: true };
const CHANGE: Style = { input: true, defaults: false };

const SECURITY = {
  any: [{ apiKey: [] }, { bearer: [] }],
  jwt: [{ bearer: [] }],
  none: [],
};

/** The document for these routes. */
export function openApiDocument(routes: readonly Route[], version: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes.filter(({ hidden }) => !hidden)) {
    paths[route.path] ??= {};
    paths[route.path][route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "orbifold",
      version,
      license: { name: "MIT", identifier: "MIT" },
      description:
        "Seamless patterns under the 17 wallpaper groups, from any picture. Every error is problem details (RFC 9457) with a stable `code`; a call that fails costs no credit.",
    },
    servers: [{ url: "/" }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "A key: pf_…" },
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "A key (pf_…) or a person's token (JWT).",
        },
      },
      schemas: Object.fromEntries(
        [...NAMED].map(([schema, name]) => [name, jsonSchema(schema, OUTPUT)]),
      ),
    },
  };
}

function operation(route: Route) {
  const credits = route.cost === 0 ? "Free of charge." : `Costs ${route.cost} credit.`;
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, credits].filter(Boolean).join("\n\n"),
    security: SECURITY[route.auth],
    parameters: [
      ...pathParameters(route),
      ...queryParameters(route),
      ...conditionParameters(route),
    ],
    ...(route.body && { requestBody: requestBody(route, route.body) }),
    responses: { ...answers(route), ...problems(route) },
  };
}

/** `GET /api/v1/patterns/{id}/render` → `getPatternsIdRender`. */
function operationId({ method, path }: Route): string {
  const words = path.replace("/api/v1", "").match(/[a-z0-9]+/gi) ?? [];
  const capitalized = words.map((word) => word[0].toUpperCase() + word.slice(1));
  return method.toLowerCase() + capitalized.join("");
}

function pathParameters({ params }: Route) {
  return Object.entries(propertiesOf(params)).map(([name, schema]) => ({
    name,
    in: "path",
    required: true,
    schema: jsonSchema(schema, INPUT),
  }));
}

function queryParameters({ query }: Route) {
  const required = (query as { required?: string[] } | undefined)?.required ?? [];
  return Object.entries(propertiesOf(query)).map(([name, schema]) => {
    const { description, ...rest } = jsonSchema(schema, INPUT);
    return {
      name,
      in: "query",
      required: required.includes(name) && rest.default === undefined,
      description,
      ...queryEncoding(schema, rest),
    };
  });
}

function conditionParameters({ responses, problems }: Route) {
  const conditions = {
    "If-None-Match": [responses[304], "ETags of what you have already."],
    "If-Match": [problems?.includes("precondition_failed"), "The ETag of what is to be changed."],
  };
  return Object.entries(conditions)
    .filter(([, [applies]]) => applies)
    .map(([name, [, description]]) => ({
      name,
      in: "header",
      required: false,
      description,
      schema: { type: "string" },
    }));
}

/** How `query.ts` reads a parameter, in OpenAPI's words. */
function queryEncoding(schema: TSchema, rest: JsonSchema) {
  const form = queryForm(schema);
  if (form === "json") return { content: { "application/json": { schema: rest } } };
  if (form !== "list") return { schema: rest };
  const length = Object.keys(propertiesOf(schema)).length;
  const items = { type: "array", items: { type: "number" }, minItems: length, maxItems: length };
  return { style: "form", explode: false, schema: items };
}

function requestBody({ form, method }: Route, body: TSchema) {
  const json = jsonSchema(body, method === "PATCH" ? CHANGE : INPUT);
  return {
    required: (json.required?.length ?? 0) > 0,
    content: {
      "application/json": { schema: json },
      ...(form && { "multipart/form-data": { schema: jsonSchema(form, INPUT) } }),
    },
  };
}

function answers({ responses }: Route) {
  return Object.fromEntries(
    Object.entries(responses).map(([status, documented]) => [status, answer(documented)]),
  );
}

function answer({ description, schema, mediaTypes = [], headers = {} }: Documented) {
  const binary = mediaTypes.map((type) => [type, { schema: { type: "string", format: "binary" } }]);
  const json = schema ? [["application/json", { schema: schemaOrReference(schema, OUTPUT) }]] : [];
  return {
    description,
    ...(binary.length + json.length > 0 && { content: Object.fromEntries([...binary, ...json]) }),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, text]) => [
        name,
        { description: text, schema: { type: "string" } },
      ]),
    ),
  };
}

/** The codes that a route can answer with: those that follow from its fields, and its own. */
function problemCodes(route: Route): ProblemCode[] {
  const codes: ProblemCode[] = ["internal", "unavailable", ...(route.problems ?? [])];
  if (route.auth !== "none") codes.push("unauthorized", "account_frozen", "plan_required");
  if (route.cost > 0) codes.push("credits_exhausted");
  if (route.params) codes.push("not_found");
  if (route.body || route.query) codes.push("validation_failed");
  if (route.method === "PATCH") codes.push("malformed_request");
  if (route.body) {
    codes.push("malformed_json", "malformed_request", "payload_too_large");
    codes.push("unsupported_media_type");
  }
  return codes;
}

function problems(route: Route) {
  const codes = Map.groupBy(new Set(problemCodes(route)), (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...codes].map(([status, list]) => [
      status,
      {
        description: list.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(" "),
        content: {
          "application/problem+json": {
            schema: schemaOrReference(Problem, OUTPUT),
            examples: Object.fromEntries(list.map((code) => [code, { value: example(code) }])),
          },
        },
      },
    ]),
  );
}

function example(code: ProblemCode): Problem {
  const error = { type: `/docs/problems#${code}`, ...PROBLEMS[code], code };
  return { ...error, detail: "…", request_id: "0b6d1d1e-6f0e-4c6b-9d8b-0f3f5e2a7c11" };
}

function propertiesOf(schema: TSchema | undefined): Record<string, TSchema> {
  return schema && Type.IsObject(schema) ? schema.properties : {};
}
