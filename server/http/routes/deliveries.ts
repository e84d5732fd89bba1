import Type from "typebox";
import {
  getDelivery,
  listDeliveries,
  recoverDeliveries,
  redeliver,
  testWebhook,
} from "../../actions/deliveries.ts";
import {
  Delivery,
  DeliveryDetails,
  DeliveryId,
  DeliveryList,
  DeliveryTest,
  Recovery,
  RecoveryResult,
  toDeliveryDetailsResponse,
  toDeliveryResponse,
} from "../../actions/delivery-fields.ts";
import { Id, PageOf, strict, toPageResponse } from "../../actions/fields.ts";
import type { Services } from "../../actions/services.ts";
import { type DocumentedResponse, type RouteResponse, route } from "../route.ts";

const tag = "Webhooks";
const path = "/api/v1/webhooks";
const params = Type.Object({ id: Id }, strict);

const accepted = {
  description: "The delivery is queued.",
  schema: Delivery,
  headers: { Location: "URL of the webhook's deliveries." },
} satisfies DocumentedResponse;

const locationOf = ({ publicUrl }: Services, webhookId: number) => ({
  Location: `${publicUrl}${path}/${webhookId}/deliveries`,
});

function acceptedResponse(services: Services, delivery: Delivery): RouteResponse {
  return { status: 202, headers: locationOf(services, delivery.webhook_id), json: delivery };
}

/** Deliveries of events to webhooks. */
export const deliveryRoutes = [
  route({
    method: "POST",
    path: `${path}/{id}/test`,
    tag,
    operationId: "testWebhook",
    summary: "Send a test event",
    description:
      "Sends the event, `ping` by default, signed, retried and listed like any other, whatever the webhook subscribes to.",
    auth: "any",
    isIdempotent: true,
    params,
    query: DeliveryTest,
    responses: { 202: accepted },
    problems: ["conflict"],
    cost: 0,
    async handler({ services, account, params: { id }, query }) {
      const delivery = await testWebhook(services, account.id, id, query);
      return acceptedResponse(services, toDeliveryResponse(delivery));
    },
  }),
  route({
    method: "GET",
    path: `${path}/{id}/deliveries`,
    tag,
    operationId: "listWebhookDeliveries",
    summary: "List a webhook's deliveries",
    description: "Deliveries are stored for 30 days, unless the operator chose another time.",
    auth: "any",
    params,
    query: DeliveryList,
    responses: { 200: { description: "A page of deliveries.", schema: PageOf(Delivery) } },
    cost: 0,
    async handler({ services, account, params: { id }, query }) {
      const page = await listDeliveries(services, account.id, id, query);
      return { status: 200, json: toPageResponse(page, toDeliveryResponse) };
    },
  }),
  route({
    method: "POST",
    path: `${path}/{id}/recover`,
    tag,
    operationId: "recoverDeliveries",
    summary: "Send failed deliveries again",
    description:
      "Redelivers every event since a moment whose delivery has failed, the oldest first, at most 500 in one call.",
    auth: "any",
    isIdempotent: true,
    params,
    body: Recovery,
    responses: {
      202: {
        description: "The deliveries are queued.",
        schema: RecoveryResult,
        headers: accepted.headers,
      },
    },
    problems: ["conflict"],
    cost: 0,
    async handler({ services, account, params: { id }, body }) {
      const json = await recoverDeliveries(services, account.id, id, body);
      return { status: 202, headers: locationOf(services, id), json };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/deliveries/{id}",
    tag,
    operationId: "getDelivery",
    summary: "Get a delivery",
    auth: "any",
    params: Type.Object({ id: DeliveryId }, strict),
    responses: {
      200: { description: "The delivery, with its body and attempts.", schema: DeliveryDetails },
    },
    cost: 0,
    async handler({ services, account, params: { id } }) {
      const delivery = await getDelivery(services, account.id, id);
      return { status: 200, json: toDeliveryDetailsResponse(delivery) };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/deliveries/{id}/redeliver",
    tag,
    operationId: "redeliver",
    summary: "Redeliver an event",
    description:
      "Sends the same bytes with the same `delivery_id` again, whatever its status, with five more attempts.",
    auth: "any",
    isIdempotent: true,
    params: Type.Object({ id: DeliveryId }, strict),
    responses: { 202: accepted },
    problems: ["conflict"],
    cost: 0,
    async handler({ services, account, params: { id } }) {
      const delivery = await redeliver(services, account.id, id);
      return acceptedResponse(services, toDeliveryResponse(delivery));
    },
  }),
];
