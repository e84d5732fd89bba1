import { brotliDecompressSync, unzipSync } from "node:zlib";
import { type Decoded, decodeBase64 } from "./base64.ts";
import { ExcessiveJson, parseBoundedJson } from "./bounded-json.ts";

/** Content codings that are understood; an empty one is none. */
export const ENCODINGS = ["identity", "gzip", "deflate", "br"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Where a JSON body may hold a picture in base64. */
export interface PictureAt {
  /** Names of members from the root. */
  readonly path: readonly string[];
  /** Bytes of the picture itself. */
  readonly maximumBytes: number;
}

export interface JsonBody {
  readonly bytes: Uint8Array;
  readonly encoding: Encoding;
  /** Bytes of JSON, once it is decompressed. */
  readonly maximumBytes: number;
  readonly picture?: PictureAt | undefined;
}

export type Parsed =
  | {
      readonly outcome: "parsed";
      readonly value: unknown;
      /** What the text at the picture's place stands for; null there in `value`. */
      readonly picture?: Decoded;
    }
  | {
      readonly outcome: "too_large";
      /** `rest`: what stands beside the picture. */
      readonly what: "body" | "rest";
      readonly maximumBytes: number;
    }
  | {
      readonly outcome: "malformed";
      /** `framing`: the content coding; `structure`: too many members, or too deep. */
      readonly what: "json" | "framing" | "structure";
      readonly message: string;
    };

/** A body of at most so many bytes is parsed where it arrives; less time than a thread takes to hear of it. */
export const INLINE_BYTES = 64 * 1024;

/** What a body may hold beside its picture. */
const REST_BYTES = 1024 * 1024;

/** Parses a JSON body; an empty one counts as `{}`. Throws nothing. */
export function parseBody({ bytes, encoding, maximumBytes, picture }: JsonBody): Parsed {
  try {
    const text = decompress(bytes, encoding, maximumBytes).toString("utf8");
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

/** Takes a long text out of its place in a value, and decodes it. */
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
