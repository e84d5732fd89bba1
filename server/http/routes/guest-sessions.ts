import Type from "typebox";
import { strict } from "../../actions/fields.ts";
import { ReturnUrl } from "../../actions/handoff-fields.ts";
import { cancelHandoff, FinishHandoff, finishHandoff } from "../../actions/handoff-returns.ts";
import {
  GuestSession,
  OpenHandoff,
  openHandoff,
  toGuestSessionResponse,
} from "../../actions/handoffs.ts";
import { type DocumentedResponse, route } from "../route.ts";

const tag = "Shops";
const path = "/api/v1/embed";

const returnResponse = (url: string): DocumentedResponse => ({
  description: `The URL to return to: ${url}, \`pf_handoff\`, \`pf_status\`, \`state\`, and \`pf_sig\` if the account has a secret.`,
  schema: Type.Object({ redirect_url: ReturnUrl }, strict),
});

/** The session of a shop's customer, from the link to the return. */
export const guestSessionRoutes = [
  route({
    method: "POST",
    path: `${path}/sessions`,
    tag,
    operationId: "createGuestSession",
    summary: "Open a guest session",
    description:
      "Exchanges the token in the editor's URL for one that can create sources and patterns in the shop's account and access nothing else there.",
    auth: "none",
    corsAccess: "listed-origins",
    addressLimit: { policy: "handoff", quota: 120, windowSeconds: 60 },
    body: OpenHandoff,
    responses: {
      201: {
        description: "The session.",
        schema: GuestSession,
        headers: { Location: "URL of the session's patterns." },
      },
    },
    problems: ["not_found", "account_frozen", "plan_required"],
    cost: 0,
    async handler({ services, body }) {
      const json = toGuestSessionResponse(await openHandoff(services, body));
      const headers = { Location: `${services.publicUrl}/api/v1/patterns` };
      return { status: 201, headers, json };
    },
  }),
  route({
    method: "POST",
    path: `${path}/finish`,
    tag,
    operationId: "finishHandoff",
    summary: "Finish a handoff",
    description:
      "Takes one of the patterns that the customer created. May be repeated with another one.",
    auth: "guest",
    body: FinishHandoff,
    responses: { 200: returnResponse("the shop's `return_url` with `pf_pattern_id`") },
    problems: ["not_found"],
    cost: 0,
    async handler({ services, account, handoffId, body }) {
      const redirect_url = await finishHandoff(services, account.id, handoffId, body);
      return { status: 200, json: { redirect_url } };
    },
  }),
  route({
    method: "POST",
    path: `${path}/cancel`,
    tag,
    operationId: "cancelHandoff",
    summary: "Cancel a handoff",
    description:
      "The customer returns without a pattern, and may finish later all the same. A handoff that is finished stays so, and the URL is that of its pattern.",
    auth: "guest",
    responses: { 200: returnResponse("the shop's `cancel_url`, or else `return_url`, with") },
    cost: 0,
    async handler({ services, account, handoffId }) {
      const redirect_url = await cancelHandoff(services, account.id, handoffId);
      return { status: 200, json: { redirect_url } };
    },
  }),
];
