import Type from "typebox";
import { planRender, RenderFields } from "../../actions/render-pattern.ts";
import { Id, strict } from "../../actions/resources/fields.ts";
import { hasAlready } from "../conditions.ts";
import { answerRender, documentedPicture, headOf, isCollected } from "../render-answer.ts";
import { route } from "../route.ts";

const shared = {
  path: "/api/v1/patterns/{id}/render",
  tag: "Renders",
  auth: "any",
  params: Type.Object({ id: Id }, strict),
  cost: 0,
} as const;

const notModified = { description: "You have it: If-None-Match names its ETag." };

/** Pictures of patterns. */
export const renderRoutes = [
  route({
    ...shared,
    method: "POST",
    summary: "Render a pattern",
    body: RenderFields,
    responses: { 200: documentedPicture },
    problems: ["overloaded"],
    async handler({ services, account, params, body, signal }) {
      return answerRender(await planRender(services, account.id, params.id, body), signal);
    },
  }),
  ...(["HEAD", "GET"] as const).map((method) =>
    route({
      ...shared,
      method,
      summary: method === "GET" ? "Render a pattern by a link" : "Ask what a render will be",
      description:
        method === "GET"
          ? "The same fields as in the body of POST. `offset` is written `x,y`, `surface_effects` as JSON text."
          : "The head of GET. Its length and digest are known once the picture has been made; of a sheet of more than 16 megapixels neither is told.",
      query: RenderFields,
      responses: { 200: documentedPicture, 304: notModified },
      problems: ["overloaded"],
      async handler({ services, account, params, query, header, signal }) {
        const plan = await planRender(services, account.id, params.id, query);
        const head = headOf(plan);
        if (hasAlready(header("If-None-Match"), head.headers.ETag)) return { status: 304, ...head };
        if (method === "HEAD" && !isCollected(plan)) return { status: 200, ...head };
        return answerRender(plan, signal);
      },
    }),
  ),
];
