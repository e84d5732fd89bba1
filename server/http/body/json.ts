import { finished } from "node:stream/promises";
import type { Context } from "koa";
import { Overloaded, PayloadTooLarge } from "../../actions/errors.ts";
import { ReceivedPicture } from "../../actions/received-picture.ts";
import type { Services } from "../../actions/services.ts";
import { SOURCE_BYTES } from "../../actions/sources.ts";
import {
  ENCODINGS,
  type Encoding,
  IntakeOverloaded,
  type JsonBody,
  type Parsed,
} from "../../intake/index.ts";
import { MalformedJson, MalformedRequest, UnsupportedMediaType } from "../errors.ts";
import { type BodyLimits, declaredLength, receiveBody, SharedBytes } from "./receive.ts";

export const JSON_TYPE = "application/json";

type ParsedBody = Extract<Parsed, { readonly outcome: "parsed" }>;

/**
 * Receives and parses a body of JSON or, with `maximumLines`, of NDJSON. `maximumBytes` bounds it before and after
 * decompression. Rejects with MalformedJson, MalformedRequest, PayloadTooLarge, UnsupportedMediaType, Overloaded,
 * and what `receiveBody` rejects with.
 */
export async function receiveParsed(
  ctx: Context,
  intake: Services["bodies"]["intake"],
  limits: BodyLimits,
  options: Pick<JsonBody, "picture" | "maximumLines">,
): Promise<ParsedBody> {
  const { maximumBytes, hold } = limits;
  const encoding = encodingOf(ctx);
  // The decompressed size is only known now.
  if (encoding !== "identity") hold(maximumBytes);
  const bytes = await receiveBody(ctx, limits, async (body) => {
    const gathered = new SharedBytes(declaredLength(ctx) ?? maximumBytes);
    // `pipeline` aborts a signal after each body, which makes an exception with its stack. Errors of the body are for
    // `receiveBody`: then this never settles.
    await finished(body.pipe(gathered));
    return gathered.bytes;
  });
  const parsed = await intake
    .parse({ bytes, encoding, maximumBytes, ...options })
    .catch((error) => {
      throw error instanceof IntakeOverloaded ? new Overloaded(error.waiting) : error;
    });
  return requireParsed(parsed);
}

/**
 * Resolves with the value of the JSON in the body, with a ReceivedPicture in place of a long text at
 * `picturePath`. An empty body counts as `{}`. Rejects as `receiveParsed`.
 */
export async function readJson(
  ctx: Context,
  intake: Services["bodies"]["intake"],
  limits: BodyLimits,
  picturePath?: readonly string[],
): Promise<unknown> {
  const at = picturePath && { path: picturePath, maximumBytes: SOURCE_BYTES };
  const { value, picture } = await receiveParsed(ctx, intake, limits, { picture: at });
  if (picture && picturePath) replaceAt(value, picturePath, new ReceivedPicture(picture));
  return value;
}

function encodingOf(ctx: Context): Encoding {
  const given = ctx.get("Content-Encoding") || "identity";
  const known = ENCODINGS.find((encoding) => encoding === given);
  if (known === undefined) throw UnsupportedMediaType.ofEncoding(ENCODINGS, given);
  return known;
}

/** Returns a body that was parsed. Throws the error that another outcome stands for. */
function requireParsed(parsed: Parsed): ParsedBody {
  switch (parsed.outcome) {
    case "too_large": {
      const what = parsed.what === "body" ? "the body" : "the body without its picture";
      throw new PayloadTooLarge(what, parsed.maximumBytes);
    }
    case "malformed": {
      const { what, message } = parsed;
      throw what === "json" ? new MalformedJson(message) : new MalformedRequest(message);
    }
    case "parsed":
      return parsed;
  }
}

function replaceAt(value: unknown, path: readonly string[], replacement: unknown): void {
  const [name = "", ...rest] = path;
  const holder = value as Record<string, unknown>;
  if (rest.length > 0) replaceAt(holder[name], rest, replacement);
  else holder[name] = replacement;
}
