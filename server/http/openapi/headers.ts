/** Headers that answers of many operations have, which the document holds under their names. */
export const SHARED_HEADERS = {
  RateLimit: {
    description: "The policy, how many requests are left of it and in how many seconds all are.",
    required: true,
    schema: { type: "string" },
    example: '"requests";r=117;t=42',
  },
  "RateLimit-Policy": {
    description: "The policy, how many requests it grants, and within how many seconds.",
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
  "Content-Range": {
    description: "Which bytes of how many these are; where there is no such part, of how many.",
    required: true,
    schema: { type: "string" },
    example: "bytes 0-1023/48213",
  },
  "Idempotency-Replayed": {
    description: "`true` where this is the answer to an earlier request with the same key.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
} as const;

export type SharedHeader = keyof typeof SHARED_HEADERS;

/** References to some of them, as the headers of an answer. */
export function sharedHeaders(names: readonly SharedHeader[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
