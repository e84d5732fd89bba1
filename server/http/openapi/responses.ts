/** OpenAPI responses of routes. */
import { schemaOrReference } from "../../actions/json-schema.ts";
import type { DocumentedResponse, Route } from "../route.ts";
import { exampleOf } from "./example-of.ts";
import { type SharedHeader, sharedHeaders } from "./headers.ts";
import { problemReferences } from "./problem-responses.ts";
import { OUTPUT } from "./schema-options.ts";

/** Returns the responses of a route by status, including errors. */
export function responsesOf(route: Route) {
  const answers = Object.entries(route.responses).map(([status, documented]) => [
    status,
    answer(route, documented, status === "206" ? ["Content-Range"] : []),
  ]);
  return { ...Object.fromEntries(answers), ...problemReferences(route) };
}

function answer(route: Route, documented: DocumentedResponse, further: readonly SharedHeader[]) {
  const { description, schema, example, mediaTypes = [] } = documented;
  const binary = mediaTypes.map((type) => [type, { schema: { type: "string", format: "binary" } }]);
  const value = example ?? (schema && exampleOf(schema, false));
  const json = schema && { schema: schemaOrReference(schema, OUTPUT), example: value };
  return {
    description,
    headers: {
      ...textHeaders(documented.headers, true),
      ...textHeaders(documented.optionalHeaders, false),
      ...sharedHeaders([...(documented.sharedHeaders ?? []), ...further, ...limitHeaders(route)]),
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

/** Authenticated requests are counted, and those of limited public routes. */
function limitHeaders({ auth, addressLimit }: Route): SharedHeader[] {
  return auth === "none" && !addressLimit ? [] : ["RateLimit", "RateLimit-Policy"];
}
