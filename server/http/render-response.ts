import { formatFacts, type Picture, type RenderPlan, sizeOf } from "../actions/renders.ts";
import type { Timings } from "../actions/services.ts";
import { hasAlready } from "./conditions.ts";
import { digestHeader } from "./digest.ts";
import { titleOf } from "./file-names.ts";
import type { Answer, Documented } from "./route.ts";

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
export function furtherAnswers(method: "GET" | "HEAD"): Readonly<Record<number, Documented>> {
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
export const documentedPicture: Documented = {
  description:
    "The picture. PNG and TIFF of more than 4096² pixels come in chunks, while they are made for the first time.",
  mediaTypes: MEDIA_TYPES,
  headers,
  someHeaders,
};

/** What can be said about a picture before it is made. */
function headOf(plan: RenderPlan, cacheControl = "private, no-cache") {
  const { pattern, fields } = plan;
  const { width, height } = sizeOf(fields);
  const size = fields.mode === "tile" ? `${width}` : `${width}x${height}`;
  const { mediaType, extension } = formatFacts[fields.format];
  const kind = fields.mode === "aperiodic" ? fields.aperiodic.kind : pattern.group;
  return {
    fileName: `${titleOf(pattern)}-${kind}-${size}.${extension}`,
    headers: {
      ETag: `"${plan.fingerprint}"`,
      "Cache-Control": cacheControl,
      "Content-Type": mediaType,
    },
  };
}

/** Answers with the picture: whole where it is there, else as it comes into being. */
export async function respondWithRender(plan: RenderPlan, signal: AbortSignal): Promise<Answer> {
  return answerPicture(plan, headOf(plan), await plan.picture(signal));
}

async function answerPicture(
  plan: RenderPlan,
  { fileName, headers }: ReturnType<typeof headOf>,
  picture: Picture,
): Promise<Answer> {
  const { whole, bytes, timings } = picture;
  const about = { ...headers, ...strainOf(picture) };
  if (whole === null) {
    return {
      status: 200,
      fileName,
      headers: { ...about, Trailer: "Server-Timing" },
      stream: picture.read(0, Number.POSITIVE_INFINITY),
      readerMs: plan.timeoutMs,
      trailers: async () => serverTiming(picture, await timings),
    };
  }
  return {
    status: 200,
    fileName,
    headers: {
      ...about,
      ...digestHeader(whole.sha256),
      ...serverTiming(picture, await timings),
    },
    ...(bytes === null
      ? { file: { length: whole.length, read: picture.read }, readerMs: plan.timeoutMs }
      : { bytes, isRanged: true }),
  };
}

/** A request for a picture by GET or HEAD. */
interface PictureRequest {
  readonly method: "GET" | "HEAD";
  /** A header of the request. */
  header(name: string): string;
  readonly signal: AbortSignal;
  /** Left out: caches may keep the picture, but have to ask whether it is still the same. */
  readonly cacheControl?: string;
}

/** Answers GET and HEAD, with the conditions that the request's headers make. */
export async function answerPlan(
  plan: RenderPlan,
  { method, header, signal, cacheControl }: PictureRequest,
): Promise<Answer> {
  const head = headOf(plan, cacheControl);
  if (hasAlready(header("If-None-Match"), head.headers.ETag)) return { status: 304, ...head };
  if (method === "HEAD" && !plan.isWhole) {
    const kept = await plan.kept();
    return kept ? answerPicture(plan, head, kept) : { status: 200, ...head };
  }
  return answerPicture(plan, head, await plan.picture(signal));
}

const strainOf = ({ strain }: Picture) => ({ "X-Orbifold-Strain": String(strain) });

/** https://www.w3.org/TR/server-timing/ Where nothing was done there are no times to tell. */
function serverTiming({ backend }: Picture, timings: Timings | null) {
  if (timings === null) return { "Server-Timing": `cache;desc="hit", backend;desc="${backend}"` };
  const { queue, sample, effects, encode } = timings;
  const steps = Object.entries({ queue, sample, effects, encode });
  const durations = steps.map(([name, milliseconds]) => `${name};dur=${milliseconds.toFixed(2)}`);
  return { "Server-Timing": [...durations, `backend;desc="${backend}"`].join(", ") };
}
