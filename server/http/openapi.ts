/** The OpenAPI 3.1 document, made of the routes. */
import { jsonSchema } from "../actions/json-schema.ts";
import { problemCodes, responsesOf } from "./openapi/answers.ts";
import { SHARED_HEADERS } from "./openapi/headers.ts";
import { INTRODUCTION } from "./openapi/introduction.ts";
import { parametersOf } from "./openapi/parameters.ts";
import { problemExamples } from "./openapi/problem-examples.ts";
import { requestBodyOf } from "./openapi/request-body.ts";
import { NAMED, OUTPUT } from "./openapi/styles.ts";
import { outgoingWebhooks } from "./openapi/webhooks.ts";
import type { Route } from "./route.ts";
import { TAGS } from "./tags.ts";

const SECURITY = {
  any: [{ apiKey: [] }, { bearer: [] }],
  key: [{ apiKey: [] }, { bearer: [] }],
  jwt: [{ bearer: [] }],
  // The session's id is the secret; its key may be sent, too.
  session: [{}, { apiKey: [] }, { bearer: [] }],
  guest: [{ bearer: [] }],
  none: [],
};

/** The document for these routes. */
export function openApiDocument(routes: readonly Route[], version: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  const shown = routes.filter(({ hidden }) => !hidden);
  for (const route of shown) {
    paths[route.path] ??= {};
    paths[route.path][route.method.toLowerCase()] = operation(route);
  }
  const components = {
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
    headers: SHARED_HEADERS,
    examples: problemExamples(new Set(shown.flatMap(problemCodes))),
  };
  return {
    openapi: "3.1.0",
    info: {
      title: "orbifold",
      version,
      license: { name: "MIT", identifier: "MIT" },
      description: INTRODUCTION,
    },
    servers: [{ url: "/" }],
    tags: Object.entries(TAGS)
      .filter(([name]) => shown.some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    webhooks: outgoingWebhooks(),
    components,
  };
}

function operation(route: Route) {
  const credits = route.cost === 0 ? "Free of charge." : `Costs ${route.cost} credit.`;
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, credits].filter(Boolean).join("\n\n"),
    ...(route.isDeprecated && { deprecated: true }),
    security: SECURITY[route.auth],
    parameters: parametersOf(route),
    ...requestBodyOf(route),
    responses: responsesOf(route),
  };
}

/** `GET /api/v1/patterns/{id}/render` → `getPatternsIdRender`. */
function operationId({ method, path }: Route): string {
  const words = path.replace("/api/v1", "").match(/[a-z0-9]+/gi) ?? [];
  const capitalized = words.map((word) => word[0].toUpperCase() + word.slice(1));
  return method.toLowerCase() + capitalized.join("");
}
