import type { Context } from "koa";
import { TooManyBytes } from "../../actions/errors.ts";
import { ExcessiveJson, parseBoundedJson } from "../bounded-json.ts";
import { MalformedJson, MalformedRequest, UnsupportedMediaType } from "../errors.ts";
import { parseBody } from "./parse.ts";

export const JSON_TYPE = "application/json";

const ENCODINGS = ["", "identity", "gzip", "deflate", "br"];

/**
 * What the JSON in the body says; `maximumBytes` bounds it before and after decompression. An
 * empty body counts as `{}`. Throws MalformedJson, MalformedRequest, TooManyBytes,
 * UnsupportedMediaType.
 */
export async function readJson(ctx: Context, maximumBytes: number): Promise<unknown> {
  const encoding = ctx.get("Content-Encoding");
  if (!ENCODINGS.includes(encoding)) throw new UnsupportedMediaType(JSON_TYPE, encoding);
  try {
    const text = { text: true, textTypes: [JSON_TYPE], textLimit: maximumBytes };
    await parseBody(ctx, maximumBytes, text);
    return parseBoundedJson(String(ctx.request.body || "{}"));
  } catch (error) {
    throw error instanceof Error ? readable(error, maximumBytes) : error;
  }
}

/** What raw-body, zlib and the parser say, in our words. */
function readable(error: Error, maximumBytes: number): Error {
  const { message, type, code } = error as Error & { type?: string; code?: string };
  const options = { cause: error };
  if (error instanceof SyntaxError) return new MalformedJson(message, options);
  if (error instanceof ExcessiveJson) return new MalformedRequest(message, options);
  if (type === "entity.too.large") return new TooManyBytes("the body", maximumBytes);
  const isFraming = type !== undefined || /^(Z_|ERR_.*BROTLI|ERR__ERROR)/.test(code ?? "");
  return isFraming ? new MalformedRequest(message, options) : error;
}
