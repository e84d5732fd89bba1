import { pipeline } from "node:stream/promises";
import type { Context } from "koa";
import { Overloaded, PayloadTooLarge } from "../../actions/errors.ts";
import { ReceivedPicture } from "../../actions/received-picture.ts";
import type { Services } from "../../actions/services.ts";
import { SOURCE_BYTES } from "../../actions/sources.ts";
import { ENCODINGS, type Encoding, IntakeOverloaded, type Parsed } from "../../intake/index.ts";
import { MalformedJson, MalformedRequest, UnsupportedMediaType } from "../errors.ts";
import { type BodyLimits, declaredLength, receiveBody, SharedBytes } from "./receive.ts";

export const JSON_TYPE = "application/json";

/**
 * Resolves with the value of the JSON in the body, with a ReceivedPicture in place of a long text at
 * `picturePath`. `maximumBytes` bounds the body before and after decompression. An empty body counts as
 * `{}`. Rejects with MalformedJson, MalformedRequest, PayloadTooLarge, UnsupportedMediaType, Overloaded,
 * and what `receiveBody` rejects with.
 */
export async function readJson(
  ctx: Context,
  intake: Services["bodies"]["intake"],
  limits: BodyLimits,
  picturePath?: readonly string[],
): Promise<unknown> {
  const { maximumBytes, hold } = limits;
  const encoding = encodingOf(ctx);
  // The decompressed size is only known now.
  if (encoding !== "identity") hold(maximumBytes);
  const bytes = await receiveBody(ctx, limits, async (body) => {
    const gathered = new SharedBytes(declaredLength(ctx) ?? maximumBytes);
    await pipeline(body, gathered);
    return gathered.bytes;
  });
  const picture = picturePath && { path: picturePath, maximumBytes: SOURCE_BYTES };
  const parsed = await intake.parse({ bytes, encoding, maximumBytes, picture }).catch((error) => {
    throw error instanceof IntakeOverloaded ? new Overloaded(error.waiting) : error;
  });
  return parsedValue(parsed, picturePath ?? []);
}

function encodingOf(ctx: Context): Encoding {
  const given = ctx.get("Content-Encoding") || "identity";
  const known = ENCODINGS.find((encoding) => encoding === given);
  if (known === undefined) throw UnsupportedMediaType.ofEncoding(ENCODINGS, given);
  return known;
}

/** Returns the parsed value. Throws the error that the outcome stands for. */
function parsedValue(parsed: Parsed, picturePath: readonly string[]): unknown {
  switch (parsed.outcome) {
    case "too_large": {
      const what = parsed.what === "body" ? "the body" : "the body without its picture";
      throw new PayloadTooLarge(what, parsed.maximumBytes);
    }
    case "malformed": {
      const { what, message } = parsed;
      throw what === "json" ? new MalformedJson(message) : new MalformedRequest(message);
    }
    case "parsed": {
      const { value, picture } = parsed;
      if (picture) replaceAt(value, picturePath, new ReceivedPicture(picture));
      return value;
    }
  }
}

function replaceAt(value: unknown, path: readonly string[], replacement: unknown): void {
  const [name = "", ...rest] = path;
  const holder = value as Record<string, unknown>;
  if (rest.length > 0) replaceAt(holder[name], rest, replacement);
  else holder[name] = replacement;
}
