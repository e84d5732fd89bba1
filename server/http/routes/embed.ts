import Type from "typebox";
import { Id, Moment, strict } from "../../actions/fields.ts";
import {
  createHandoff,
  FinishHandoff,
  finishHandoff,
  GuestSession,
  MaxPatterns,
  NewHandoff,
  OpenHandoff,
  openHandoff,
  ReturnUrl,
  showGuestSession,
} from "../../actions/handoffs.ts";
import { route } from "../route.ts";

const tag = "Shops";
const path = "/api/v1/embed";

/** Handoffs from a shop's product to the editor and back. */
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
            expires_at: Moment,
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
    method: "POST",
    path: `${path}/sessions`,
    tag,
    operationId: "createGuestSession",
    summary: "Open a guest session",
    description:
      "Exchanges the token in the editor's URL for one that can create sources and patterns in the shop's account and access nothing else there.",
    auth: "none",
    readers: "shops",
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
      const json = showGuestSession(await openHandoff(services, body));
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
    responses: {
      200: {
        description: "The URL to return to: the shop's, with `pf_pattern_id`.",
        schema: Type.Object({ redirect_url: ReturnUrl }, strict),
      },
    },
    problems: ["not_found"],
    cost: 0,
    async handler({ services, account, handoffId, body }) {
      const redirect_url = await finishHandoff(services, account.id, handoffId, body);
      return { status: 200, json: { redirect_url } };
    },
  }),
];
