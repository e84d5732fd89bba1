import { createHash } from "node:crypto";
import { type RenderPlan, sizeOf } from "../actions/render-pattern.ts";
import type { Rendering, Timings } from "../actions/services.ts";
import type { Answer, Documented } from "./route.ts";

/** Pictures of up to so many pixels are collected before they are sent: 16 megapixels. */
const COLLECTED_PIXELS = 16_000_000;

const MEDIA_TYPES = { png: "image/png", jpeg: "image/jpeg", webp: "image/webp" } as const;
const EXTENSIONS = { png: "png", jpeg: "jpg", webp: "webp" } as const;

/** The picture in the documentation. */
export const documentedPicture: Documented = {
  description: "The picture. Larger than 16 megapixels it comes in chunks.",
  mediaTypes: Object.values(MEDIA_TYPES),
  headers: {
    ETag: "Strong; another one whenever the picture is another one.",
    "Cache-Control": "private, no-cache: keep it, but ask with If-None-Match.",
    "Content-Disposition": "inline, with a name to save the picture under.",
    "X-Orbifold-Strain":
      "How far the square tile squeezes a hexagonal pattern, as a ratio: 0.0104 is 1.04 %; 0 for other groups.",
    "Server-Timing":
      "Milliseconds in queue, sample, effects and encode, and the backend; a trailer where the picture comes in chunks.",
    "Repr-Digest": "SHA-256 of the picture (RFC 9530); not where it comes in chunks.",
  },
};

/** What can be said about a picture before it is made. */
export function headOf(plan: RenderPlan) {
  const { pattern, fields } = plan;
  const { width, height } = sizeOf(fields);
  const size = fields.mode === "tile" ? `${width}` : `${width}x${height}`;
  const kind = fields.mode === "aperiodic" ? fields.aperiodic.kind : pattern.group;
  const title = pattern.name?.replace(/[\\/:*?"<>|]/g, " ").trim() || `pattern-${pattern.id}`;
  return {
    fileName: `${title}-${kind}-${size}.${EXTENSIONS[fields.format]}`,
    headers: {
      ETag: `"${plan.fingerprint}"`,
      "Cache-Control": "private, no-cache",
      "Content-Type": MEDIA_TYPES[fields.format],
    },
  };
}

/** Whether a picture is small enough to be sent whole. */
export function isCollected({ fields }: RenderPlan): boolean {
  const { width, height } = sizeOf(fields);
  return width * height <= COLLECTED_PIXELS;
}

/** Renders and answers with the picture: whole where it is small, else as it comes into being. */
export async function answerRender(plan: RenderPlan, signal: AbortSignal): Promise<Answer> {
  const rendering = await plan.start(signal);
  const { fileName, headers } = headOf(plan);
  const strain = { "X-Orbifold-Strain": String(rendering.strain) };
  if (!isCollected(plan)) {
    return {
      status: 200,
      fileName,
      headers: { ...headers, ...strain, Trailer: "Server-Timing" },
      stream: rendering.body,
      trailers: async () => serverTiming(rendering, await rendering.timings),
    };
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of rendering.body) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const digest = createHash("sha256").update(bytes).digest("base64");
  return {
    status: 200,
    fileName,
    headers: {
      ...headers,
      ...strain,
      "Repr-Digest": `sha-256=:${digest}:`,
      ...serverTiming(rendering, await rendering.timings),
    },
    bytes,
  };
}

/** https://www.w3.org/TR/server-timing/ */
function serverTiming({ backend }: Rendering, { queue, sample, effects, encode }: Timings) {
  const steps = Object.entries({ queue, sample, effects, encode });
  const durations = steps.map(([name, milliseconds]) => `${name};dur=${milliseconds.toFixed(2)}`);
  return { "Server-Timing": [...durations, `backend;desc="${backend}"`].join(", ") };
}
