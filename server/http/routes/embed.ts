import Type from "typebox";
import { Id, PageOf, strict, Timestamp, toPageResponse } from "../../actions/fields.ts";
import { MaxPatterns, NewHandoff } from "../../actions/handoff-fields.ts";
import { rotateHandoffSecret } from "../../actions/handoff-returns.ts";
import {
  getHandoff,
  Handoff,
  HandoffDetail,
  HandoffList,
  HandoffRead,
  listHandoffs,
  toHandoffResponse,
} from "../../actions/handoff-status.ts";
import { createHandoff } from "../../actions/handoffs.ts";
import { SecretRotation } from "../../actions/webhooks.ts";
import { route } from "../route.ts";

const tag = "Shops";
const path = "/api/v1/embed";

/** Handoffs as the shop makes them and reads them back. */
export const embedRoutes = [
  route({
    method: "POST",
    path: `${path}/handoff`,
    tag,
    operationId: "createHandoff",
    summary: "Create a handoff to the editor",
    description:
      "Returns a link for one customer and one product. It works once, within 24 hours, without a login.",
    auth: "any",
    programmatic: true,
    isIdempotent: true,
    body: NewHandoff,
    examples: {
      "A product": {
        product_id: 4711,
        return_url: "https://shop.example/products/4711?variant=blue",
      },
      "A product that the customer sees": {
        product_id: 4711,
        return_url: "https://shop.example/designed",
        cancel_url: "https://shop.example/products/4711",
        product: { title: "Mug", mockup: "mug", width_mm: 228, height_mm: 85 },
        locale: "de-CH",
        metadata: { cart: "c-81" },
        state: "3f9a",
      },
    },
    responses: {
      201: {
        description: "Where to send the customer.",
        schema: Type.Object(
          {
            editor_url: Type.String({
              format: "uri",
              examples: [
                "https://patterns.example/editor?handoff=k3nZ1uXn0yq4cE6bq1Jx8v3m0Q2a7dR5",
              ],
            }),
            handoff_id: Id,
            max_patterns: MaxPatterns,
            expires_at: Timestamp,
          },
          strict,
        ),
        headers: { Location: "The same as `editor_url`." },
      },
    },
    cost: 0,
    async handler({ services, account, body }) {
      const { handoff, token } = await createHandoff(services, account, body);
      const editor = new URL(services.editorUrl);
      editor.searchParams.set("handoff", token);
      const json = {
        editor_url: editor.href,
        handoff_id: handoff.id,
        max_patterns: handoff.max_patterns,
        expires_at: handoff.expires_at.toISOString(),
      };
      return { status: 201, headers: { Location: editor.href }, json };
    },
  }),
  route({
    method: "GET",
    path: `${path}/handoffs`,
    tag,
    operationId: "listHandoffs",
    summary: "List your handoffs",
    auth: "any",
    query: HandoffList,
    responses: { 200: { description: "A page, newest first.", schema: PageOf(Handoff) } },
    cost: 0,
    async handler({ services, account, query }) {
      const page = await listHandoffs(services, account.id, query);
      return { status: 200, json: toPageResponse(page, toHandoffResponse) };
    },
  }),
  route({
    method: "GET",
    path: `${path}/handoffs/{id}`,
    tag,
    operationId: "getHandoff",
    summary: "Get a handoff with its pattern",
    description:
      "What the customer returned with: a snapshot that later changes of the pattern do not reach, and signed links to it. A customer may return again with another pattern; `pattern_id` selects the one of your order.",
    auth: "any",
    params: Type.Object({ id: Id }, strict),
    query: HandoffRead,
    responses: { 200: { description: "The handoff.", schema: HandoffDetail } },
    problems: ["quota_exceeded"],
    cost: 0,
    async handler({ services, account, params: { id }, query }) {
      return { status: 200, json: await getHandoff(services, account.id, id, query) };
    },
  }),
  route({
    method: "POST",
    path: `${path}/secret`,
    tag,
    operationId: "rotateHandoffSecret",
    summary: "Set a new secret for returns",
    description:
      "Returns the secret that signs `pf_sig`, only here. During the overlap the previous secret signs, if there is one.",
    auth: "any",
    programmatic: true,
    isIdempotent: true,
    body: SecretRotation,
    responses: {
      200: {
        description: "The secret.",
        schema: Type.Object(
          {
            secret: Type.String({
              examples: ["pfhs_Zm9yIGV4YW1wbGUgb25seSwgdGhpcnR5LXR3byBieXQ"],
              description: "Key of the HMAC; only in this response.",
            }),
            previous_secret_until: Type.Union([Timestamp, Type.Null()], {
              description: "Until when the previous secret signs; null if the new one does.",
            }),
          },
          strict,
        ),
      },
    },
    cost: 0,
    async handler({ services, account, body }) {
      const { secret, previousUntil } = await rotateHandoffSecret(services, account.id, body);
      const previous_secret_until = previousUntil?.toISOString() ?? null;
      return { status: 200, json: { secret, previous_secret_until } };
    },
  }),
];
