/** Responses with stored files: whole, ranges, and conditional. */
import { matchesTag } from "./conditions.ts";
import type { DocumentedResponse, RouteResponse, StoredFile } from "./route.ts";

export interface NamedFile extends StoredFile {
  readonly mediaType: string;
  /** File name of the download. */
  readonly fileName: string;
  /** In hex. */
  readonly sha256: string;
  /** Default: caches may store the file, but must revalidate it. */
  readonly cacheControl?: string;
}

/** Milliseconds after which a reader that takes nothing is disconnected. */
export const STALL_TIMEOUT_MS = 60_000;

const headers = {
  ETag: "Strong: its SHA-256.",
  "Cache-Control": "private, no-cache: may be stored, but must be revalidated with If-None-Match.",
  "Content-Disposition": "inline, with a file name.",
};

const bodyHeaders = {
  ...headers,
  "Repr-Digest": "SHA-256 of the whole file (RFC 9530).",
  "Accept-Ranges": "bytes: ranges are supported.",
};

/** The documented responses of GET and HEAD. */
export function fileResponses(
  method: "GET" | "HEAD",
  description: string,
  mediaTypes: readonly string[],
): Readonly<Record<number, DocumentedResponse>> {
  const body = { mediaTypes, headers: bodyHeaders };
  return {
    200: { description, ...body },
    ...(method === "GET" && { 206: { description: "The requested range.", ...body } }),
    304: { description: "Not modified: `If-None-Match` names its ETag.", headers },
  };
}

/** Responds to GET and HEAD, evaluating the conditional headers of the request. */
export function respondWithFile(
  { mediaType, fileName, sha256, cacheControl = "private, no-cache", ...file }: NamedFile,
  header: (name: string) => string,
): RouteResponse {
  const head = {
    fileName,
    headers: {
      ETag: `"${sha256}"`,
      "Cache-Control": cacheControl,
      "Content-Type": mediaType,
    },
  };
  if (matchesTag(header("If-None-Match"), head.headers.ETag)) return { status: 304, ...head };
  return {
    status: 200,
    fileName,
    headers: head.headers,
    sha256,
    file,
    stallTimeoutMs: STALL_TIMEOUT_MS,
  };
}
