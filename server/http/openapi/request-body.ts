import type { TSchema } from "typebox";
import { jsonSchema, schemaOrReference } from "../../actions/json-schema.ts";
import type { Route } from "../route.ts";
import { exampleOf } from "./example-of.ts";
import { CHANGE, INPUT } from "./schema-options.ts";

/** Returns OpenAPI's request body of a route; empty if it takes none. */
export function requestBodyOf({ body, form, lines, method, examples }: Route) {
  if (!body) return {};
  const options = method === "PATCH" ? CHANGE : INPUT;
  const { required = [] } = jsonSchema(body, options);
  const content = {
    "application/json": {
      schema: schemaOrReference(body, options),
      ...(examples ? { examples: named(examples) } : { example: exampleOf(body, true) }),
    },
    ...formOf(form),
    ...linesOf(lines),
  };
  return { requestBody: { required: required.length > 0, content } };
}

function formOf(form: TSchema | undefined) {
  return form && { "multipart/form-data": { schema: jsonSchema(form, INPUT) } };
}

function linesOf(lines: Route["lines"]) {
  const description = `One item of the field \`${lines?.field}\` on each line.`;
  return lines && { "application/x-ndjson": { schema: { type: "string", description } } };
}

/** Examples by what they show: `A sheet of paper` is named `a_sheet_of_paper`. */
function named(examples: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(examples).map(([summary, value]) => [
      summary.toLowerCase().replaceAll(/\W+/g, "_"),
      { summary, value },
    ]),
  );
}
