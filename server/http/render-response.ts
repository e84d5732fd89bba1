import { titleOf } from "../actions/patterns.ts";
import {
  formatFacts,
  isWhole,
  type Measures,
  type Picture,
  type RenderPlan,
} from "../actions/renders.ts";
import type { Timings } from "../actions/services.ts";
import { matchesTag } from "./conditions.ts";
import type { DocumentedResponse, RouteResponse } from "./route.ts";

const MEDIA_TYPES = Object.values(formatFacts).map(({ mediaType }) => mediaType);

const headers = {
  ETag: "Strong; changes with the picture.",
  "Cache-Control": "private, no-cache: may be stored, but must be revalidated with If-None-Match.",
  "Content-Disposition": "inline, with a file name.",
};

const sharedHeaders = [
  "X-Orbifold-Strain",
  "X-Orbifold-Size-Mm",
  "X-Orbifold-Repeat-Mm",
  "X-Orbifold-True-Shape",
  "Server-Timing",
  "Repr-Digest",
  "Accept-Ranges",
] as const;

/** Documented responses of GET and HEAD besides the whole picture. */
export function conditionalResponses(
  method: "GET" | "HEAD",
): Readonly<Record<number, DocumentedResponse>> {
  const part = {
    description:
      "The requested range. The first response with a PNG or TIFF of more than 4096² pixels is always complete.",
    mediaTypes: MEDIA_TYPES,
    headers,
    sharedHeaders,
  };
  return {
    ...(method === "GET" && { 206: part }),
    304: { description: "Not modified: `If-None-Match` names its ETag.", headers },
  };
}

/** The documented response with a picture. */
export const documentedPicture: DocumentedResponse = {
  description:
    "The picture. A PNG or TIFF of more than 4096² pixels is sent in chunks while it is rendered for the first time.",
  mediaTypes: MEDIA_TYPES,
  headers,
  sharedHeaders,
};

/** A request for a picture. */
interface PictureRequest {
  readonly method: "GET" | "HEAD" | "POST";
  /** A header of the request. */
  header(name: string): string;
  /** Default: caches may store the picture, but must revalidate it. */
  readonly cacheControl?: string;
  /** Milliseconds after which a reader of a large picture that takes nothing is disconnected. */
  readonly stallTimeoutMs: number;
  /** Returns the picture if it is cached. */
  cached(): Promise<Picture | null>;
  render(): Promise<Picture>;
}

/** Returns the symmetry of a picture for the name of its file. */
function kindOf({ pattern, fields }: RenderPlan): string {
  const { mode, aperiodic, frieze, rosette } = fields;
  if (mode === "aperiodic") return aperiodic.kind;
  if (mode === "rosette") return `rosette-${rosette.mirrors ? "d" : "c"}${rosette.fold}`;
  return mode === "frieze" ? `frieze-${frieze?.group}` : pattern.group;
}

/** Responds with a plan's picture: complete if it is cached or small, else while it is rendered. */
export async function respondWithRender(
  plan: RenderPlan,
  {
    method,
    header,
    cacheControl = "private, no-cache",
    stallTimeoutMs,
    cached,
    render,
  }: PictureRequest,
): Promise<RouteResponse> {
  const { pattern, fields, measures } = plan;
  const { width, height } = plan.size;
  const size = width === height && fields.mode === "tile" ? `${width}` : `${width}x${height}`;
  const { mediaType, extension } = formatFacts[fields.format];
  const kind = kindOf(plan);
  const fileName = `${titleOf(pattern)}-${kind}-${size}.${extension}`;
  const headers = {
    ETag: `"${Buffer.from(plan.fingerprint, "hex").toString("base64url")}"`,
    "Cache-Control": cacheControl,
    "Content-Type": mediaType,
    ...measureHeaders(measures),
  };
  if (method !== "POST" && matchesTag(header("If-None-Match"), headers.ETag)) {
    return { status: 304, fileName, headers };
  }
  // HEAD does not render a large picture.
  const picture = method === "HEAD" && !isWhole(plan) ? await cached() : await render();
  if (picture === null) return { status: 200, fileName, headers };
  return { status: 200, fileName, ...(await contentOf(picture, headers, stallTimeoutMs)) };
}

function measureHeaders({ size_mm, repeat_mm, true_shape }: Measures): Record<string, string> {
  const text = ({ width, height }: Measures["size_mm"]) => `${width}x${height}`;
  return {
    "X-Orbifold-Size-Mm": text(size_mm),
    ...(repeat_mm && { "X-Orbifold-Repeat-Mm": text(repeat_mm) }),
    ...(true_shape && { "X-Orbifold-True-Shape": text(true_shape) }),
  };
}

/** The body and headers of a response with a picture. */
async function contentOf(
  picture: Picture,
  head: Readonly<Record<string, string>>,
  stallTimeoutMs: number,
): Promise<Omit<RouteResponse, "status" | "fileName">> {
  const { digest, bytes, timings, strain } = picture;
  const headers = { ...head, "X-Orbifold-Strain": String(strain) };
  if (digest === null) {
    return {
      headers: { ...headers, Trailer: "Server-Timing" },
      stream: picture.read(0, Number.POSITIVE_INFINITY),
      stallTimeoutMs,
      trailers: async () => serverTiming(picture, await timings),
    };
  }
  return {
    headers: { ...headers, ...serverTiming(picture, await timings) },
    sha256: digest.sha256,
    ...(bytes === null
      ? { file: { length: digest.length, read: picture.read }, stallTimeoutMs }
      : { bytes, isRanged: true }),
  };
}

/** https://www.w3.org/TR/server-timing/ A cached picture has no times. */
function serverTiming({ backend }: Picture, timings: Timings | null) {
  if (timings === null) return { "Server-Timing": `cache;desc="hit", backend;desc="${backend}"` };
  const { queue, sample, effects, encode } = timings;
  const steps = Object.entries({ queue, sample, effects, encode });
  const durations = steps.map(([name, milliseconds]) => `${name};dur=${milliseconds.toFixed(2)}`);
  return { "Server-Timing": [...durations, `backend;desc="${backend}"`].join(", ") };
}
