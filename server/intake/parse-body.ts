import { hash } from "node:crypto";
import { brotliDecompressSync, unzipSync } from "node:zlib";
import { type Decoded, decodeBase64 } from "./base64.ts";
import { ExcessiveJson, parseBoundedJson } from "./bounded-json.ts";

/** Supported content codings; empty: identity. */
export const ENCODINGS = ["identity", "gzip", "deflate", "br"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Place of a picture in base64 in a JSON body. */
export interface PictureAt {
  /** Member names from the root. */
  readonly path: readonly string[];
  /** Maximum bytes of the picture. */
  readonly maximumBytes: number;
}

export interface JsonBody {
  readonly bytes: Uint8Array;
  readonly encoding: Encoding;
  /** Maximum bytes of decompressed JSON. */
  readonly maximumBytes: number;
  readonly picture?: PictureAt | undefined;
  /** Set for NDJSON: the number of lines that are read at most. The value is a list of them, not parsed. */
  readonly maximumLines?: number | undefined;
}

export type Parsed =
  | {
      readonly outcome: "parsed";
      readonly value: unknown;
      /** The decoded picture; in `value` its place is null. */
      readonly picture?: Decoded;
      /** Of NDJSON: the SHA-256 of the text, in hex. */
      readonly sha256?: string;
    }
  | {
      readonly outcome: "too_large";
      /** `rest`: the JSON beside the picture. */
      readonly what: "body" | "rest";
      readonly maximumBytes: number;
    }
  | {
      readonly outcome: "malformed";
      /** `framing`: the content coding; `structure`: too many members, or too deep. */
      readonly what: "json" | "framing" | "structure";
      readonly message: string;
    };

/** Bytes up to which a body is parsed directly, faster than a message to a thread. */
export const INLINE_BYTES = 64 * 1024;

/** Maximum bytes of JSON beside the picture. */
const REST_BYTES = 1024 * 1024;

/** Parses a JSON body; an empty one is `{}`. Never throws. */
export function parseBody(given: JsonBody): Parsed {
  const { bytes, encoding, maximumBytes, picture, maximumLines } = given;
  try {
    const body = decompress(bytes, encoding, maximumBytes);
    const text = body.toString("utf8");
    if (maximumLines !== undefined) {
      const value = text.trimEnd().split("\n", maximumLines);
      return { outcome: "parsed", value, sha256: hash("sha256", body) };
    }
    const value = parseBoundedJson(text || "{}");
    return picture ? takePicture(value, text.length, picture) : { outcome: "parsed", value };
  } catch (error) {
    return failure(error as Error & { code?: string }, maximumBytes);
  }
}

function decompress(bytes: Uint8Array, encoding: Encoding, maxOutputLength: number): Buffer {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (encoding === "identity") return body;
  return (encoding === "br" ? brotliDecompressSync : unzipSync)(body, { maxOutputLength });
}

/** Removes a long text from its place in a value, and decodes it. */
function takePicture(value: unknown, length: number, { path, maximumBytes }: PictureAt): Parsed {
  const name = path.at(-1) ?? "";
  let holder = value;
  for (const step of path.slice(0, -1)) holder = memberOf(holder, step);
  const text = memberOf(holder, name);
  const isLong = typeof text === "string" && text.length > INLINE_BYTES;
  if (length - (isLong ? text.length : 0) > REST_BYTES) {
    return { outcome: "too_large", what: "rest", maximumBytes: REST_BYTES };
  }
  if (!isLong) return { outcome: "parsed", value };
  (holder as Record<string, unknown>)[name] = null;
  return { outcome: "parsed", value, picture: decodeBase64(text, maximumBytes) };
}

function memberOf(value: unknown, name: string): unknown {
  const isObject = typeof value === "object" && value !== null && Object.hasOwn(value, name);
  return isObject ? (value as Record<string, unknown>)[name] : undefined;
}

function failure(error: Error & { code?: string }, maximumBytes: number): Parsed {
  const { code, message } = error;
  if (error instanceof ExcessiveJson) return { outcome: "malformed", what: "structure", message };
  if (error instanceof SyntaxError) return { outcome: "malformed", what: "json", message };
  if (code === "ERR_BUFFER_TOO_LARGE") return { outcome: "too_large", what: "body", maximumBytes };
  if (/^(Z_|ERR_.*BROTLI|ERR__ERROR)/.test(code ?? "")) {
    return { outcome: "malformed", what: "framing", message };
  }
  throw error;
}
