import Type from "typebox";
import { Id, Name, strict } from "../../actions/fields.ts";
import { drawLinkedMockup, mockupOf } from "../../actions/mockup-links.ts";
import { MOCKUP_MEDIA_TYPE } from "../../actions/mockups.ts";
import {
  createRenderLink,
  followRenderLink,
  MeasuredRenderLink,
  type OpenedLink,
  openLink,
  RenderLinkFields,
  renderLinkedPicture,
} from "../../actions/render-links.ts";
import type { Picture } from "../../actions/renders.ts";
import { respondWithFile } from "../file-response.ts";
import { conditionalResponses, documentedPicture, respondWithRender } from "../render-response.ts";
import { type DocumentedResponse, type RouteResponse, route } from "../route.ts";

const tag = "Renders";

const FileName = Type.String({
  ...Name(200),
  examples: ["pattern-12.png"],
  description: "A file name; the token alone determines the image.",
});

const Token = Type.String({ description: "The token of the signed URL." });

/** Returns the documented responses of signed URLs. */
function pinnedResponses(method: "GET" | "HEAD"): Readonly<Record<number, DocumentedResponse>> {
  const responses = Object.entries({ 200: documentedPicture, ...conditionalResponses(method) });
  const cacheControl =
    "public, max-age=…, immutable, with the seconds until the link expires: its picture never changes.";
  return Object.fromEntries(
    responses.map(([status, response]) => [
      status,
      { ...response, headers: { ...response.headers, "Cache-Control": cacheControl } },
    ]),
  );
}

/** Caches need not revalidate: the image is immutable until the URL expires. */
function untilExpiry(expiresAt: Date): string {
  const seconds = Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000));
  return `public, max-age=${seconds}, immutable`;
}

function respondWithMockup(
  { pinned, expiresAt }: OpenedLink,
  product: string,
  { digest, read }: Picture,
  header: (name: string) => string,
): RouteResponse {
  if (digest === null) throw new Error("a mockup is drawn in one piece");
  return respondWithFile(
    {
      ...digest,
      read,
      mediaType: MOCKUP_MEDIA_TYPE,
      fileName: `pattern-${pinned.pattern_id}-${product}.jpg`,
      cacheControl: untilExpiry(expiresAt),
    },
    header,
  );
}

/** Signed URLs of renders and mockups. */
export const renderLinkRoutes = [
  route({
    method: "POST",
    path: "/api/v1/patterns/{id}/render-url",
    tag,
    operationId: "createRenderUrl",
    summary: "Create a signed URL of a render",
    description:
      "Anyone with the URL can get the image, without a key and outside your rate limit. The URL is pinned: it always returns the same bytes, of the pattern as it is now, even after the pattern is updated or deleted. It stops working when it expires, when the source is deleted, and while your account is frozen or on a plan without programmatic access.",
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
    responses: { 200: { description: "The signed URL.", schema: MeasuredRenderLink } },
    problems: ["quota_exceeded"],
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
      operationId: method === "GET" ? "getSignedRender" : "headSignedRender",
      summary:
        method === "GET" ? "Get a render by its signed URL" : "Get the headers of a signed render",
      description:
        "404 for a token that was never signed here. 410 for a link that has expired, whose source was deleted, or whose bytes this version of the service cannot make any more.",
      auth: "none",
      corsAccess: "any-origin",
      // Not limited by key, but by address: each request may render.
      addressLimit: { policy: "links", quota: 600, windowSeconds: 60 },
      params: Type.Object({ name: FileName }, strict),
      query: Type.Object({ token: Token }, strict),
      responses: pinnedResponses(method),
      problems: [
        "content_corrupted",
        "insufficient_storage",
        "not_found",
        "gone",
        "account_frozen",
        "plan_required",
        "overloaded",
        "render_timeout",
      ],
      cost: 0,
      async handler({ services, query, header, signal }) {
        const opened = await openLink(services, query.token);
        const mockup = mockupOf(opened);
        if (mockup !== null) {
          const picture = await drawLinkedMockup(services, opened, mockup, signal);
          return respondWithMockup(opened, mockup.product, picture, header);
        }
        const link = await followRenderLink(services, opened);
        return respondWithRender(link.plan, {
          method,
          header,
          cacheControl: untilExpiry(link.expiresAt),
          stallTimeoutMs: services.renderTimeoutMs,
          cached: async () => link.cached ?? services.renders.find(link.plan.fingerprint),
          render: () => renderLinkedPicture(services, link, signal),
        });
      },
    }),
  ),
];
