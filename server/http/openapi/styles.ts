/** How the document writes the schemas of what comes in and of what goes out. */
import type { TSchema } from "typebox";
import type { Style } from "../../actions/json-schema.ts";
import { Account } from "../../actions/resources/account.ts";
import { ApiKey } from "../../actions/resources/api-key.ts";
import { Delivery } from "../../actions/resources/delivery.ts";
import { Pattern } from "../../actions/resources/pattern.ts";
import { Source } from "../../actions/resources/source.ts";
import { Webhook } from "../../actions/resources/webhook.ts";
import { Certificate } from "../../actions/validate-pattern.ts";
import { Problem } from "../problem.ts";
import { FilePart } from "../route.ts";

const written = new Map([[FilePart, { type: "string", format: "binary" }]]);

/** Answers that have a name of their own in the document. */
export const NAMED = new Map<TSchema, string>(
  Object.entries({ Account, ApiKey, Certificate, Delivery, Pattern, Problem, Source, Webhook }).map(
    ([name, schema]) => [schema, name],
  ),
);

export const OUTPUT: Style = { input: false, defaults: false, names: NAMED };
export const INPUT: Style = { input: true, defaults: true, written };
export const CHANGE: Style = { input: true, defaults: false };
