/** OpenAPI parameters of routes. */
import Type, { type TSchema } from "typebox";
import { type JsonSchema, jsonSchema } from "../../actions/json-schema.ts";
import { queryForm } from "../request-input.ts";
import type { Route } from "../route.ts";
import { INPUT } from "./schema-options.ts";

/** The parameters of a route in its path, its query and its headers. */
export function parametersOf(route: Route) {
  return [...inPath(route), ...inQuery(route), ...inHeaders(route)];
}

function inPath({ params }: Route) {
  return Object.entries(propertiesOf(params)).map(([name, schema]) => {
    const { description, examples, ...rest } = jsonSchema(schema, INPUT);
    const [example] = examples ?? [];
    return { name, in: "path", required: true, description, example, schema: rest };
  });
}

function inQuery({ query }: Route) {
  const required: readonly string[] = (query && Type.IsObject(query) && query.required) || [];
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

/** OpenAPI's description of the encoding that `request-input.ts` reads. */
function queryEncoding(schema: TSchema, rest: JsonSchema) {
  const form = queryForm(schema);
  if (form === "json") {
    // Swagger UI would otherwise send a made-up example.
    const example = rest.examples?.[0] ?? rest.default ?? (rest.type === "array" ? [] : {});
    return { content: { "application/json": { schema: rest, example } } };
  }
  if (form !== "list") return { schema: rest };
  const length = Object.keys(propertiesOf(schema)).length;
  const items = { type: "array", items: { type: "number" }, minItems: length, maxItems: length };
  return { style: "form", explode: false, schema: items };
}

function inHeaders({ responses, problems, isIdempotent }: Route) {
  const headers = {
    "Idempotency-Key": [
      isIdempotent,
      "1 to 255 visible ASCII characters of your choice, such as a UUID. A repeated request with the same key returns the first response for 24 hours.",
    ],
    "If-None-Match": [responses[304], "ETags of the versions that you have."],
    "If-Match": [problems?.includes("precondition_failed"), "ETag of the expected version."],
    Range: [responses[206], "The requested bytes, e.g. `bytes=1000-`."],
    "If-Range": [
      responses[206],
      "ETag of the version that you have a part of; for any other, the response is complete.",
    ],
  };
  return Object.entries(headers)
    .filter(([, [applies]]) => applies)
    .map(([name, [, description]]) => ({
      name,
      in: "header",
      required: false,
      description,
      schema: { type: "string" },
    }));
}

function propertiesOf(schema: TSchema | undefined): Record<string, TSchema> {
  return schema && Type.IsObject(schema) ? schema.properties : {};
}
