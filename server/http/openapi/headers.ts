/** Headers of many responses, which the document defines once. */
export const SHARED_HEADERS = {
  RateLimit: {
    description:
      "The policy, the requests left in its window and the seconds until the window ends.",
    required: true,
    schema: { type: "string" },
    example: '"requests";r=117;t=42',
  },
  "RateLimit-Policy": {
    description: "The policy, its quota of requests and its window in seconds.",
    required: true,
    schema: { type: "string" },
    example: '"requests";q=120;w=60',
  },
  "Retry-After": {
    description: "Seconds to wait before trying again; on 409 where the request is in flight.",
    schema: { type: "integer", minimum: 1 },
    example: 2,
  },
  "WWW-Authenticate": {
    description: "How to authenticate (RFC 6750); with `invalid_token` where a key or token came.",
    required: true,
    schema: { type: "string" },
    example: 'Bearer realm="orbifold", error="invalid_token"',
  },
  "Accept-Post": {
    description: "The media types that are read. On PATCH the header is `Accept-Patch`.",
    schema: { type: "string" },
    example: "application/json",
  },
  "Content-Range": {
    description:
      "The range of bytes in this response and the length of the whole; on 416 the length alone.",
    required: true,
    schema: { type: "string" },
    example: "bytes 0-1023/48213",
  },
  "Idempotency-Replayed": {
    description: "`true` on the stored response to an earlier request with the same key.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
} as const;

export type SharedHeader = keyof typeof SHARED_HEADERS;

/** References to some of them, as the headers of a response. */
export function sharedHeaders(names: readonly SharedHeader[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
