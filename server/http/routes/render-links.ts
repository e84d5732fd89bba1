import Type from "typebox";
import {
  createRenderLink,
  RenderLink,
  RenderLinkFields,
} from "../../actions/create-render-link.ts";
import { followRenderLink } from "../../actions/follow-render-link.ts";
import { Id, Name, strict } from "../../actions/resources/fields.ts";
import { answerPlan, documentedPicture, furtherAnswers } from "../render-answer.ts";
import { route } from "../route.ts";

const tag = "Renders";

const FileName = Type.String({
  ...Name(200),
  examples: ["pattern-12.png"],
  description: "A name to save the picture under; what the picture is stands in the token.",
});

const Token = Type.String({ description: "As it stands in the signed address." });

/** Addresses of renders for those who have no key. */
export const renderLinkRoutes = [
  route({
    method: "POST",
    path: "/api/v1/patterns/{id}/render-url",
    tag,
    summary: "Sign an address of a render",
    description:
      "Whoever has the address gets the picture, without a key and outside of your rate limit, of the pattern as it is then. It ends with its time, with the pattern, and with your account's plan.",
    auth: "any",
    params: Type.Object({ id: Id }, strict),
    body: RenderLinkFields,
    examples: {
      "A tile for a day": { size: 512 },
      "A sheet for a week": {
        mode: "surface",
        surface_width: 1200,
        surface_height: 800,
        expires_in: 604_800,
      },
    },
    responses: { 200: { description: "The address.", schema: RenderLink } },
    cost: 0,
    async handler({ services, account, params, body }) {
      return { status: 200, json: await createRenderLink(services, account.id, params.id, body) };
    },
  }),
  ...(["HEAD", "GET"] as const).map((method) =>
    route({
      method,
      path: "/api/v1/renders/{name}",
      tag,
      summary: method === "GET" ? "Follow a signed address" : "Ask what a signed address leads to",
      auth: "none",
      // Outside of any key's limit, but not without one: each may be work.
      addressLimit: { policy: "links", quota: 600, windowSeconds: 60 },
      params: Type.Object({ name: FileName }, strict),
      query: Type.Object({ token: Token }, strict),
      responses: { 200: documentedPicture, ...furtherAnswers(method) },
      problems: ["not_found", "account_frozen", "plan_required", "overloaded", "render_timeout"],
      cost: 0,
      async handler({ services, query, header, signal }) {
        return answerPlan(method, await followRenderLink(services, query.token), header, signal);
      },
    }),
  ),
];
