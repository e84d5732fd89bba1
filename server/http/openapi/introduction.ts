import { KEY_QUOTAS, TOKEN_QUOTA } from "../../actions/rate-limits.ts";

/** What holds for every operation: the head of the documentation, in Markdown. */
export const INTRODUCTION = `Seamless patterns under the 17 wallpaper groups, from any picture.

Make a **source** (a preset, an upload, an address), make a **pattern** of it and a wallpaper group, and **render** the pattern as a tile that repeats, or as a sheet of any size.

- **Who calls.** Programs send a key (\`pf_…\`) as \`X-API-Key\` or as a bearer token; it takes the plan pro, agency or trial. People send the token (JWT) of their session as a bearer token.
- **Limits.** A key may make ${KEY_QUOTAS.pro} requests a minute, on the agency plan ${KEY_QUOTAS.agency}; a token ${TOKEN_QUOTA}. The \`RateLimit\` headers tell what is left; 429 says in \`Retry-After\` how long to wait.
- **Credits.** Each operation says what it costs. A call that fails costs nothing.
- **Errors** are problem details (RFC 9457) with a stable [\`code\`](/docs/problems), and name every place of the input that is wrong. Their \`request_id\` is that of the header \`X-Request-Id\`, which every answer has.
- **Once.** Operations that make something take an \`Idempotency-Key\`: sent again with the same key, a request is answered again and not done again.
- **Webhooks** tell addresses of yours what happens; the section at the end says what comes.
- **Lists** come newest first, in pages; \`next_cursor\` leads to the next one.
- **Versions.** Patterns and pictures have an \`ETag\`: \`If-None-Match\` saves a transfer, \`If-Match\` somebody else's change.`;
