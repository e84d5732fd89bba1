import { basePathOf } from "./base-path.ts";
import { route } from "./route.ts";
import type { Tag } from "./tags.ts";

/** Headers of pages: their URLs contain tokens. */
export const PAGE_HEADERS = { "Referrer-Policy": "no-referrer", "Cache-Control": "no-cache" };

/** Everything is from the same origin. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Defines a route for a page of the service, or for a file of one; `text` takes the base path. */
export function pageFile(
  tag: Tag,
  path: string,
  mediaType: string,
  text: (basePath: string) => string,
) {
  return route({
    method: "GET",
    path,
    tag,
    operationId: path,
    summary: path,
    hidden: true,
    auth: "none",
    responses: { 200: { description: "The file.", mediaTypes: [mediaType] } },
    cost: 0,
    async handler({ services }) {
      const headers = {
        ...PAGE_HEADERS,
        "Content-Type": `${mediaType}; charset=utf-8`,
        "Content-Security-Policy": POLICY,
      };
      return { status: 200, headers, bytes: Buffer.from(text(basePathOf(services.publicUrl))) };
    },
  });
}
