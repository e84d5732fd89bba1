/** How the document writes the schemas of requests and of responses, and which have a name in it. */
import type { TSchema } from "typebox";
import { RenderLink } from "../../actions/create-render-link.ts";
import { type JsonSchema, jsonSchema, type Style } from "../../actions/json-schema.ts";
import { PatternEffect } from "../../actions/list-effects.ts";
import { Group } from "../../actions/list-groups.ts";
import { Palette } from "../../actions/list-palettes.ts";
import { Preset } from "../../actions/list-presets.ts";
import { Product } from "../../actions/list-products.ts";
import { Style as PatternStyle } from "../../actions/list-styles.ts";
import { SurfaceEffect } from "../../actions/list-surface-effects.ts";
import { ReadinessChecks } from "../../actions/readiness.ts";
import { Account } from "../../actions/resources/account.ts";
import { ApiKey, NewApiKey } from "../../actions/resources/api-key.ts";
import { CreditEntry, Credits } from "../../actions/resources/credits.ts";
import { Delivery } from "../../actions/resources/delivery.ts";
import { Export } from "../../actions/resources/export.ts";
import { Mockup } from "../../actions/resources/mockup.ts";
import { Pattern } from "../../actions/resources/pattern.ts";
import { Session } from "../../actions/resources/session.ts";
import { Source } from "../../actions/resources/source.ts";
import { Webhook, WebhookWithSecret } from "../../actions/resources/webhook.ts";
import { AccountChanges } from "../../actions/update-account.ts";
import { PatternChanges } from "../../actions/update-pattern.ts";
import { WebhookChanges } from "../../actions/update-webhook.ts";
import { Certificate } from "../../actions/validate-pattern.ts";
import { Problem } from "../problem.ts";

const named = (schemas: Readonly<Record<string, TSchema>>) =>
  new Map(Object.entries(schemas).map(([name, schema]) => [schema, name]));

const { motif: Motif, lattice: Lattice, seam: Seam } = Pattern.properties;
const { request: ExportFields, preflight: Preflight } = Export.properties;

/** Of responses. */
export const OUTPUT: Style = {
  input: false,
  defaults: false,
  names: named({
    Account,
    ApiKey,
    ApiKeyWithSecret: NewApiKey,
    Certificate,
    CreditEntry,
    Credits,
    Delivery,
    Effects: Pattern.properties.effects,
    Export,
    ExportFields,
    Group,
    Lattice,
    Mockup,
    Motif,
    Palette,
    Pattern,
    PatternEffect,
    PatternStyle,
    Preflight,
    Preset,
    Problem,
    Product,
    ReadinessChecks,
    RenderUrl: RenderLink,
    Seam,
    Session,
    Source,
    SurfaceEffect,
    Webhook,
    WebhookWithSecret,
  }).set(Problem.properties.checks, "ReadinessChecks"),
};

/**
 * Of requests, which stand where they are taken: generators of TypeScript read a field with a default
 * as one that may be left out there, but not in a schema with a name.
 */
export const INPUT: Style = { input: true, defaults: true };

/** Of requests that change some fields of what exists. */
export const CHANGE: Style = {
  input: true,
  defaults: false,
  names: named({
    AccountChanges,
    PatternChanges,
    WebhookChanges,
  }),
};

/** Every schema with a name, by its name. */
export function namedSchemas(): Readonly<Record<string, JsonSchema>> {
  const schemas = [OUTPUT, CHANGE].flatMap((style) =>
    [...(style.names ?? [])].map(([schema, name]) => [name, jsonSchema(schema, style)] as const),
  );
  return Object.fromEntries(schemas.sort(([one], [other]) => (one < other ? -1 : 1)));
}
