import type { Context } from "koa";
import { mapInSlices } from "../../actions/in-slices.ts";
import type { Services } from "../../actions/services.ts";
import { ExcessiveJson, parseBoundedJson } from "../../intake/index.ts";
import { MalformedJson, MalformedRequest } from "../errors.ts";
import { receiveParsed } from "./json.ts";
import type { BodyLimits } from "./receive.ts";

/** https://github.com/ndjson/ndjson-spec */
export const NDJSON_TYPE = "application/x-ndjson";

/** Characters of the longest line: it is parsed in one piece. */
const LINE_LENGTH = 64 * 1024;

/** The values of a body of NDJSON. */
export interface Lines {
  readonly values: readonly unknown[];
  /** SHA-256 of the text, in hex. */
  readonly sha256: string;
}

/**
 * Resolves with a value for each line of NDJSON, and reads one line too many where there are more than
 * `maximumLines`. Rejects as `receiveParsed`, and with the number of a line that is malformed.
 */
export async function readNdjson(
  ctx: Context,
  intake: Services["bodies"]["intake"],
  limits: BodyLimits,
  maximumLines: number,
): Promise<Lines> {
  const options = { maximumLines: maximumLines + 1 };
  const { value, sha256 = "" } = await receiveParsed(ctx, intake, limits, options);
  return { values: await mapInSlices(value as string[], parseLine), sha256 };
}

function parseLine(text: string, index: number): unknown {
  if (text.length > LINE_LENGTH) {
    throw new MalformedRequest(`line ${index + 1}: expected at most ${LINE_LENGTH} characters`);
  }
  try {
    return parseBoundedJson(text);
  } catch (error) {
    const { message } = error as Error;
    const what = `line ${index + 1}: ${message}`;
    throw error instanceof ExcessiveJson ? new MalformedRequest(what) : new MalformedJson(what);
  }
}
