/** Conversion options of schemas in requests and responses, and the schemas that have names. */
import type { TSchema } from "typebox";
import { Account, AccountChanges } from "../../actions/account-settings.ts";
import { ApiKey, NewApiKey } from "../../actions/api-keys.ts";
import { Batch, BatchItem } from "../../actions/batch-fields.ts";
import {
  Group,
  Palette,
  PatternEffect,
  Style as PatternStyle,
  Preset,
  Product,
  SurfaceEffect,
} from "../../actions/catalogues.ts";
import { CreditEntry, Credits, DailyCredits } from "../../actions/credits.ts";
import { Delivery, DeliveryDetails } from "../../actions/delivery-fields.ts";
import { Export } from "../../actions/exports.ts";
import { type JsonSchema, jsonSchema, type SchemaOptions } from "../../actions/json-schema.ts";
import { Mockup } from "../../actions/mockups.ts";
import { AccountDetails, AccountSummary, OperatorAction } from "../../actions/operator.ts";
import { Pattern } from "../../actions/pattern-fields.ts";
import { PatternChanges } from "../../actions/patterns.ts";
import { ReadinessChecks } from "../../actions/readiness.ts";
import { MeasuredRenderLink, RenderLink } from "../../actions/render-links.ts";
import { Session } from "../../actions/sessions.ts";
import { Source } from "../../actions/sources.ts";
import { Certificate } from "../../actions/validation.ts";
import { Webhook, WebhookChanges, WebhookWithSecret } from "../../actions/webhooks.ts";
import { Problem } from "../problem.ts";

const named = (schemas: Readonly<Record<string, TSchema>>) =>
  new Map(Object.entries(schemas).map(([name, schema]) => [schema, name]));

const { motif: Motif, lattice: Lattice, seam: Seam } = Pattern.properties;
const { request: ExportFields, preflight: Preflight } = Export.properties;

/** Of responses. */
export const OUTPUT: SchemaOptions = {
  input: false,
  defaults: false,
  names: named({
    Account,
    AccountDetails,
    AccountSummary,
    ApiKey,
    ApiKeyWithSecret: NewApiKey,
    Batch,
    BatchItem,
    BatchItemRequest: BatchItem.properties.request,
    Certificate,
    CreditEntry,
    Credits,
    DailyCredits,
    Delivery,
    DeliveryDetails,
    Effects: Pattern.properties.effects,
    Export,
    ExportFields,
    Group,
    Lattice,
    Mockup,
    Motif,
    OperatorAction,
    Palette,
    Pattern,
    PatternEffect,
    PatternStyle,
    Preflight,
    Preset,
    Problem,
    Product,
    ReadinessChecks,
    MeasuredRenderUrl: MeasuredRenderLink,
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
 * Of requests, inlined: TypeScript generators treat a field with a default as optional there, but
 * not in a named schema.
 */
export const INPUT: SchemaOptions = { input: true, defaults: true };

/** Of partial updates. */
export const CHANGE: SchemaOptions = {
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
  const schemas = [OUTPUT, CHANGE].flatMap((options) =>
    [...(options.names ?? [])].map(
      ([schema, name]) => [name, jsonSchema(schema, options)] as const,
    ),
  );
  return Object.fromEntries(schemas.sort(([one], [other]) => (one < other ? -1 : 1)));
}
