import Type from "typebox";
import { planRender, RenderFields } from "../../actions/render-pattern.ts";
import { Id, strict } from "../../actions/resources/fields.ts";
import { hasAlready } from "../conditions.ts";
import { answerRender, documentedHead, documentedPicture, headOf } from "../render-answer.ts";
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
  route({
    ...shared,
    method: "HEAD",
    summary: "Ask what a render will be",
    description: "ETag, Content-Type and file name, without rendering and hence without a length.",
    query: RenderFields,
    responses: { 200: documentedHead, 304: notModified },
    async handler({ services, account, params, query, header }) {
      const head = headOf(await planRender(services, account.id, params.id, query));
      const status = hasAlready(header("If-None-Match"), head.headers.ETag) ? 304 : 200;
      return { status, ...head };
    },
  }),
  route({
    ...shared,
    method: "GET",
    summary: "Render a pattern by a link",
    description:
      "The same fields as in the body of POST. `offset` is written `x,y`, `surface_effects` as JSON text.",
    query: RenderFields,
    responses: { 200: documentedPicture, 304: notModified },
    problems: ["overloaded"],
    async handler({ services, account, params, query, header, signal }) {
      const plan = await planRender(services, account.id, params.id, query);
      const head = headOf(plan);
      if (hasAlready(header("If-None-Match"), head.headers.ETag)) return { status: 304, ...head };
      return answerRender(plan, signal);
    },
  }),
];
