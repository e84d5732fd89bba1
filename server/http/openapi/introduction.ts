import { KEY_QUOTAS, TOKEN_QUOTA } from "../../actions/rate-limits.ts";

/** Introduction of the documentation, in Markdown, with absolute links. */
export const introduction = (
  publicUrl: string,
) => `Seamless patterns under the 17 wallpaper groups, from any image.

Create a **source** (from a preset, an upload or a URL), create a **pattern** from it and a wallpaper group, and **render** the pattern as a seamless tile or as a surface of any size.

- **Authentication.** Programs send an API key (\`pf_…\`) in \`X-API-Key\` or as a bearer token; keys require the plan pro, agency or trial. Users send their session token (JWT) as a bearer token.
- **Rate limits.** ${KEY_QUOTAS.pro} requests a minute per key, ${KEY_QUOTAS.agency} on the agency plan; ${TOKEN_QUOTA} per token. The \`RateLimit\` headers of every response hold what is left; a 429 response says in \`Retry-After\` how long to wait.
- **Credits.** Each operation states its cost. A failed call costs nothing.
- **Errors** are problem details (RFC 9457) with a stable [\`code\`](${publicUrl}/docs/problems), and list every invalid place of the input at once: \`in\` the path, query, headers or body. Their \`request_id\` is the \`X-Request-Id\` that every response carries.
- **Bodies** are JSON with \`Content-Type: application/json\`, or \`multipart/form-data\` for uploads. Any other type, and none at all, is answered 415.
- **Idempotency.** Operations that create or charge take an \`Idempotency-Key\`: a repeated request with the same key returns the first response and does nothing.
- **Webhooks** notify your systems of events; the section at the end lists the payloads.
- **Pagination.** Lists are newest first; pass \`next_cursor\` as \`cursor\` to get the next page.
- **Versions.** Patterns and images have an \`ETag\`: \`If-None-Match\` saves a transfer, \`If-Match\` prevents overwriting somebody else's change.`;
