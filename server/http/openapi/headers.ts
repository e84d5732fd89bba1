/** A header whose value is text. */
const text = (description: string, example: string) =>
  ({ description, schema: { type: "string" }, example }) as const;

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
  "X-Orbifold-Strain": text(
    "Distortion of the pattern, because its tile is square or was rounded to whole pixels, as a ratio: 0.0104 is 1.04 %; 0 without. Omitted for HEAD of a large sheet that is not cached.",
    "0.0104",
  ),
  "X-Orbifold-Size-Mm": text(
    "Width and height of the picture in millimetres at its dpi.",
    "86.699x86.699",
  ),
  "X-Orbifold-Repeat-Mm": text(
    "The smallest upright rectangle that repeats, before rotation, in millimetres. Omitted for aperiodic sheets.",
    "50.123x86.699",
  ),
  "X-Orbifold-True-Shape": text(
    'Tiles: width and height in pixels of the same `size` with `tile: "cell"`.',
    "592x1024",
  ),
  "Server-Timing": text(
    "Milliseconds in queue, sample, effects and encode, and the backend; `cache` for a cached picture. A trailer of chunked responses.",
    'queue;dur=0.21, sample;dur=9.80, effects;dur=0.00, encode;dur=6.10, backend;desc="webasm"',
  ),
  "Repr-Digest": text(
    "SHA-256 of the picture (RFC 9530); not in chunked responses.",
    "sha-256=:MV9b23bQeMQ7isAGTkoBZGErH853yGk0W/yUx1iU7dM=:",
  ),
  "Accept-Ranges": text("`bytes`, if ranges are supported.", "bytes"),
} as const;

export type SharedHeader = keyof typeof SHARED_HEADERS;

/** References to some of them, as the headers of a response. */
export function sharedHeaders(names: readonly SharedHeader[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
