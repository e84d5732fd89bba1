/** The OpenAPI 3.1 document, generated from the routes. */

import { SHARED_HEADERS } from "./openapi/headers.ts";
import { introduction } from "./openapi/introduction.ts";
import { parametersOf } from "./openapi/parameters.ts";
import { problemExamples } from "./openapi/problem-examples.ts";
import { problemCodes, problemResponses } from "./openapi/problem-responses.ts";
import { requestBodyOf } from "./openapi/request-body.ts";
import { responsesOf } from "./openapi/responses.ts";
import { namedSchemas } from "./openapi/schema-options.ts";
import { shareParameters } from "./openapi/shared-parameters.ts";
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

/** Returns the parts of the document that do not depend on the service's URL. */
export function describeRoutes(routes: readonly Route[], version: string) {
  const shown = routes.filter(({ hidden }) => !hidden);
  const operations = shown.map((route) => ({ route, operation: operation(route) }));
  const parameters = shareParameters(operations.map(({ operation }) => operation));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { route, operation } of operations) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
  }
  return {
    version,
    tags: Object.entries(TAGS)
      .filter(([name]) => shown.some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    webhooks: outgoingWebhooks(),
    components: {
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "A key: pf_…" },
        bearer: {
          type: "http",
          scheme: "bearer",
          description:
            "A key (pf_…), a user session token (JWT), or the token of a guest session (JWT).",
        },
      },
      schemas: namedSchemas(),
      parameters,
      headers: SHARED_HEADERS,
      responses: problemResponses(shown),
      examples: problemExamples(
        new Set(shown.filter(({ isJsonRpc }) => !isJsonRpc).flatMap(problemCodes)),
      ),
    },
  };
}

/** The document of a service at `publicUrl`, which has no slash at the end. */
export function openApiDocument(
  { version, ...described }: ReturnType<typeof describeRoutes>,
  publicUrl: string,
) {
  return {
    openapi: "3.1.0",
    info: {
      title: "orbifold",
      version,
      license: { name: "MIT", identifier: "MIT" },
      description: introduction(publicUrl),
    },
    servers: [{ url: publicUrl }],
    ...described,
  };
}

function operation(route: Route) {
  const credits =
    route.cost === 0
      ? "Free of charge."
      : `Costs ${route.cost} credit${route.costUnit ? ` for each ${route.costUnit}` : ""}.`;
  return {
    operationId: route.operationId,
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
