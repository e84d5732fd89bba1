import { formatFacts, isWhole, type Picture, type RenderPlan, sizeOf } from "../actions/renders.ts";
import type { Timings } from "../actions/services.ts";
import { matchesTag } from "./conditions.ts";
import { titleOf } from "./file-names.ts";
import type { DocumentedResponse, RouteResponse } from "./route.ts";

const MEDIA_TYPES = Object.values(formatFacts).map(({ mediaType }) => mediaType);

const headers = {
  ETag: "Strong; another one whenever the picture is another one.",
  "Cache-Control": "private, no-cache: keep it, but ask with If-None-Match.",
  "Content-Disposition": "inline, with a name to save the picture under.",
};

const someHeaders = {
  "X-Orbifold-Strain":
    "How far the square tile squeezes a hexagonal pattern, as a ratio: 0.0104 is 1.04 %; 0 for other groups. Not of a large sheet that is only asked about before it was made.",
  "Server-Timing":
    "Milliseconds in queue, sample, effects and encode, and the backend, or that it was kept (`cache`); a trailer where the picture comes in chunks.",
  "Repr-Digest": "SHA-256 of the picture (RFC 9530); not where it comes in chunks.",
  "Accept-Ranges": "bytes, where Range may ask for a part.",
};

/** The answers of GET and HEAD beside the whole picture, in the documentation. */
export function conditionalResponses(
  method: "GET" | "HEAD",
): Readonly<Record<number, DocumentedResponse>> {
  const part = {
    description:
      "The part that Range asks for. Of PNG and TIFF of more than 4096² pixels the whole is sent while it is made for the first time.",
    mediaTypes: MEDIA_TYPES,
    headers,
    someHeaders,
  };
  return {
    ...(method === "GET" && { 206: part }),
    304: { description: "Not modified: `If-None-Match` names its ETag.", headers },
  };
}

/** The picture in the documentation. */
export const documentedPicture: DocumentedResponse = {
  description:
    "The picture. PNG and TIFF of more than 4096² pixels come in chunks, while they are made for the first time.",
  mediaTypes: MEDIA_TYPES,
  headers,
  someHeaders,
};

/** A request for a picture. */
interface PictureRequest {
  readonly method: "GET" | "HEAD" | "POST";
  /** A header of the request. */
  header(name: string): string;
  /** Left out: caches may keep the picture, but have to ask whether it is still the same. */
  readonly cacheControl?: string;
  /** Milliseconds for which a reader of a large picture may be silent. */
  readonly readerMs: number;
  /** Returns the picture if it was made before and is kept. */
  kept(): Promise<Picture | null>;
  render(): Promise<Picture>;
}

/** Responds with a plan's picture: whole where it is there, else while it is rendered. */
export async function respondWithRender(
  plan: RenderPlan,
  { method, header, cacheControl = "private, no-cache", readerMs, kept, render }: PictureRequest,
): Promise<RouteResponse> {
  const { pattern, fields } = plan;
  const { width, height } = sizeOf(fields);
  const size = fields.mode === "tile" ? `${width}` : `${width}x${height}`;
  const { mediaType, extension } = formatFacts[fields.format];
  const kind = fields.mode === "aperiodic" ? fields.aperiodic.kind : pattern.group;
  const fileName = `${titleOf(pattern)}-${kind}-${size}.${extension}`;
  const headers = {
    ETag: `"${Buffer.from(plan.name, "hex").toString("base64url")}"`,
    "Cache-Control": cacheControl,
    "Content-Type": mediaType,
  };
  if (method !== "POST" && matchesTag(header("If-None-Match"), headers.ETag)) {
    return { status: 304, fileName, headers };
  }
  // A large picture is not made for its head.
  const picture = method === "HEAD" && !isWhole(plan) ? await kept() : await render();
  if (picture === null) return { status: 200, fileName, headers };
  return { status: 200, fileName, ...(await contentOf(picture, headers, readerMs)) };
}

/** The body and headers of a response with a picture. */
async function contentOf(
  picture: Picture,
  head: Readonly<Record<string, string>>,
  readerMs: number,
): Promise<Omit<RouteResponse, "status" | "fileName">> {
  const { whole, bytes, timings, strain } = picture;
  const headers = { ...head, "X-Orbifold-Strain": String(strain) };
  if (whole === null) {
    return {
      headers: { ...headers, Trailer: "Server-Timing" },
      stream: picture.read(0, Number.POSITIVE_INFINITY),
      readerMs,
      trailers: async () => serverTiming(picture, await timings),
    };
  }
  return {
    headers: { ...headers, ...serverTiming(picture, await timings) },
    sha256: whole.sha256,
    ...(bytes === null
      ? { file: { length: whole.length, read: picture.read }, readerMs }
      : { bytes, isRanged: true }),
  };
}

/** https://www.w3.org/TR/server-timing/ Where nothing was done there are no times to tell. */
function serverTiming({ backend }: Picture, timings: Timings | null) {
  if (timings === null) return { "Server-Timing": `cache;desc="hit", backend;desc="${backend}"` };
  const { queue, sample, effects, encode } = timings;
  const steps = Object.entries({ queue, sample, effects, encode });
  const durations = steps.map(([name, milliseconds]) => `${name};dur=${milliseconds.toFixed(2)}`);
  return { "Server-Timing": [...durations, `backend;desc="${backend}"`].join(", ") };
}
