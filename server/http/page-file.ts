import { basePathOf } from "./base-path.ts";
import { EDITOR_POLICY } from "./editor-page.ts";
import { route } from "./route.ts";
import type { Tag } from "./tags.ts";

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
        "Content-Type": `${mediaType}; charset=utf-8`,
        "Content-Security-Policy": EDITOR_POLICY,
        // URLs contain tokens.
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-cache",
      };
      return { status: 200, headers, bytes: Buffer.from(text(basePathOf(services.publicUrl))) };
    },
  });
}
