/** Webhooks and the events that they announce, for people. */
import type { Webhook } from "../../server/actions/webhooks.ts";

export const EVENTS: Readonly<Record<Webhook["events"][number], string>> = {
  "pattern.created": "A pattern was created",
  "design.applied": "A customer started or finished a design",
  "mockup.ready": "Ordered mockups are ready",
  "credits.low": "The credits run low",
};

/** What can be sent as a test. */
export const SENT_EVENTS = ["ping", ...Object.keys(EVENTS)];

/** As it is answered once, when the secret is made. */
export type WebhookWithSecret = Webhook & { readonly secret: string };
