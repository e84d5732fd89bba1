/** Webhooks and the events that they announce. */
import type { Webhook } from "../../server/actions/webhooks.ts";
import type { MessageKey } from "../shared/languages.ts";

/** Their messages for people. */
export const EVENTS = {
  "pattern.created": "event.patternCreated",
  "design.applied": "event.designApplied",
  "mockup.ready": "event.mockupReady",
  "batch.ready": "event.batchReady",
  "credits.low": "event.creditsLow",
} as const satisfies Readonly<Record<Webhook["events"][number], MessageKey>>;

/** What can be sent as a test. */
export const SENT_EVENTS = ["ping", ...Object.keys(EVENTS)];

/** As it is answered once, when the secret is made. */
export type WebhookWithSecret = Webhook & { readonly secret: string };
