import Type, { type TSchema } from "typebox";
import { Id, strict } from "../../actions/fields.ts";
import { planRender, RenderFields, renderPicture } from "../../actions/renders.ts";
import { conditionalResponses, documentedPicture, respondWithRender } from "../render-response.ts";
import { type Call, type RouteResponse, route } from "../route.ts";

const shared = {
  path: "/api/v1/patterns/{id}/render",
  tag: "Renders",
  auth: "any",
  allowsGuests: true,
  readsPatternVersion: true,
  params: Type.Object({ id: Id }, strict),
  cost: 0,
} as const;

/** Input of a render by any method. */
type RenderCall = Pick<
  Call<"any", TSchema, TSchema, TSchema, TSchema>,
  "services" | "account" | "patternVersion" | "header" | "signal"
> & { readonly params: { readonly id: number } };

async function render(
  method: "GET" | "HEAD" | "POST",
  { services, account, params, patternVersion, header, signal }: RenderCall,
  fields: RenderFields,
): Promise<RouteResponse> {
  const plan = await planRender(services, account.id, params.id, fields, patternVersion);
  return respondWithRender(plan, {
    method,
    header,
    stallTimeoutMs: services.renderTimeoutMs,
    cached: () => services.renders.find(plan.fingerprint),
    render: () => renderPicture(services, plan, signal),
  });
}

/** Renders of patterns. */
export const renderRoutes = [
  route({
    ...shared,
    method: "POST",
    operationId: "renderPattern",
    summary: "Render a pattern",
    body: RenderFields,
    examples: {
      "A tile": { size: 512 },
      "A sheet for print": {
        mode: "surface",
        surface_width: 1800,
        surface_height: 1200,
        size: 512,
        format: "jpeg",
        quality: 92,
        dpi: 300,
      },
      "A sheet with effects": {
        mode: "surface",
        surface_width: 1200,
        surface_height: 800,
        size: 400,
        surface_effects: [{ id: "vignette", params: { strength: 0.4 } }, { id: "grain" }],
      },
      "A Penrose tiling": {
        mode: "aperiodic",
        surface_width: 1200,
        surface_height: 800,
        aperiodic: { kind: "penrose_p3", seed: 5 },
      },
    },
    responses: { 200: documentedPicture },
    problems: ["overloaded", "render_timeout"],
    handler: (call) => render("POST", call, call.body),
  }),
  ...(["HEAD", "GET"] as const).map((method) =>
    route({
      ...shared,
      method,
      operationId: method === "GET" ? "getPatternRender" : "headPatternRender",
      summary: method === "GET" ? "Render a pattern by query" : "Get the headers of a render",
      description:
        method === "GET"
          ? "The same fields as in the body of POST. `offset` is written `x,y`, `surface_effects` as JSON text."
          : "The headers of GET. Length and digest are included once the picture has been rendered; PNG and TIFF of more than 4096² pixels are not rendered for it.",
      query: RenderFields,
      responses: { 200: documentedPicture, ...conditionalResponses(method) },
      problems: ["overloaded", "render_timeout"],
      handler: (call) => render(method, call, call.query),
    }),
  ),
];
