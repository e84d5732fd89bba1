import Type from "typebox";
import { NotFound } from "../../actions/errors.ts";
import { Id, strict } from "../../actions/fields.ts";
import {
  createWebhook,
  MAX_WEBHOOKS,
  NewWebhook,
  rotateWebhookSecret,
  SecretRotation,
  toWebhookResponse,
  updateWebhook,
  Webhook,
  WebhookChanges,
  WebhookWithSecret,
} from "../../actions/webhooks.ts";
import { route } from "../route.ts";

const tag = "Webhooks";
const path = "/api/v1/webhooks";
const params = Type.Object({ id: Id }, strict);

/** Subscriptions to events. */
export const webhookRoutes = [
  route({
    method: "POST",
    path,
    tag,
    operationId: "createWebhook",
    summary: "Create a webhook",
    description: `The response is the only one that contains the secret that signs deliveries. An account may have ${MAX_WEBHOOKS} webhooks.`,
    auth: "any",
    programmatic: true,
    isIdempotent: true,
    body: NewWebhook,
    responses: {
      201: {
        description: "The webhook with its secret.",
        schema: WebhookWithSecret,
        headers: { Location: "URL of the webhook." },
      },
    },
    problems: ["conflict"],
    cost: 0,
    async handler({ services, account, body }) {
      const { webhook, secret } = await createWebhook(services, account.id, body);
      const headers = { Location: `${services.publicUrl}${path}/${webhook.id}` };
      return { status: 201, headers, json: { ...toWebhookResponse(webhook), secret } };
    },
  }),
  route({
    method: "GET",
    path,
    tag,
    operationId: "listWebhooks",
    summary: "List your webhooks",
    auth: "any",
    responses: {
      200: {
        description: "All webhooks, without their secrets.",
        schema: Type.Object({ data: Type.Array(Webhook) }, strict),
      },
    },
    cost: 0,
    async handler({ services, account }) {
      const webhooks = await services.db.webhooks.list(account.id);
      return { status: 200, json: { data: webhooks.map(toWebhookResponse) } };
    },
  }),
  route({
    method: "GET",
    path: `${path}/{id}`,
    tag,
    operationId: "getWebhook",
    summary: "Get a webhook",
    auth: "any",
    params,
    responses: { 200: { description: "The webhook, without its secret.", schema: Webhook } },
    cost: 0,
    async handler({ services, account, params: { id } }) {
      const webhook = await services.db.webhooks.get(account.id, id);
      if (!webhook) throw new NotFound(`webhook ${id}`);
      return { status: 200, json: toWebhookResponse(webhook) };
    },
  }),
  route({
    method: "PATCH",
    path: `${path}/{id}`,
    tag,
    operationId: "updateWebhook",
    summary: "Update a webhook",
    description: "Pending deliveries go to the new URL.",
    auth: "any",
    params,
    body: WebhookChanges,
    responses: { 200: { description: "The webhook as it is now.", schema: Webhook } },
    cost: 0,
    async handler({ services, account, params: { id }, body }) {
      const webhook = await updateWebhook(services, account.id, id, body);
      return { status: 200, json: toWebhookResponse(webhook) };
    },
  }),
  route({
    method: "DELETE",
    path: `${path}/{id}`,
    tag,
    operationId: "deleteWebhook",
    summary: "Delete a webhook",
    description: "Deletes its deliveries, including pending ones.",
    auth: "any",
    params,
    responses: { 204: { description: "Deleted." } },
    cost: 0,
    async handler({ services, account, params: { id } }) {
      const deleted = await services.db.webhooks.delete(account.id, id);
      if (!deleted) throw new NotFound(`webhook ${id}`);
      return { status: 204 };
    },
  }),
  route({
    method: "POST",
    path: `${path}/{id}/rotate-secret`,
    tag,
    operationId: "rotateWebhookSecret",
    summary: "Rotate a webhook's secret",
    description:
      "During the overlap `webhook-signature` carries the signatures of both secrets, the new one's first, and `X-Service-Signature` that of the old one.",
    auth: "any",
    isIdempotent: true,
    params,
    body: SecretRotation,
    responses: {
      200: { description: "The webhook with its new secret.", schema: WebhookWithSecret },
    },
    cost: 0,
    async handler({ services, account, params: { id }, body }) {
      const { webhook, secret } = await rotateWebhookSecret(services, account.id, id, body);
      return { status: 200, json: { ...toWebhookResponse(webhook), secret } };
    },
  }),
];
