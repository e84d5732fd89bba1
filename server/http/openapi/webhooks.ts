/** OpenAPI webhooks. */

import { EVENTS, PING, payloadSchema } from "../../actions/events.ts";
import { jsonSchema } from "../../actions/json-schema.ts";
import { exampleOf } from "./example-of.ts";
import { OUTPUT } from "./schema-options.ts";

const HEADERS = {
  "X-Service-Event": "The name of the event.",
  "X-Service-Signature": "`sha256=` and the hex HMAC-SHA256 of the body, keyed with the secret.",
  "webhook-id": "The `delivery_id`.",
  "webhook-timestamp": "When the attempt was made, in seconds since 1970.",
  "webhook-signature":
    "Of Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, one for each secret in use, separated by spaces.",
};

/** Returns every event as an operation of receivers. */
export function outgoingWebhooks() {
  const events = Object.entries({ ...EVENTS, ping: PING });
  return Object.fromEntries(
    events.map(([name, kind]) => {
      const payload = payloadSchema(name, kind);
      const content = { schema: jsonSchema(payload, OUTPUT), example: exampleOf(payload, false) };
      const post = {
        operationId: `receive${name.replaceAll(/(^|\.)(\w)/g, (_, __, first) => first.toUpperCase())}`,
        tags: ["Webhooks"],
        summary: name,
        description: kind.about,
        security: [],
        parameters: Object.entries(HEADERS).map(([header, description]) => ({
          name: header,
          in: "header",
          required: true,
          description,
          schema: { type: "string" },
        })),
        requestBody: { required: true, content: { "application/json": content } },
        responses: {
          "2XX": { description: "Delivered. The response body is stored, not interpreted." },
          "410": { description: "Gone: the webhook is disabled." },
          default: { description: "Not delivered, redirects included. The delivery is retried." },
        },
      };
      return [name, { post }];
    }),
  );
}
