import type { Source } from "../../db/index.ts";
import { LIMITS } from "../../engine/index.ts";
import { InvalidInput, TooManyBytes } from "./errors.ts";
import type { Services } from "./services.ts";
import { storeSource } from "./store-source.ts";

/** Bytes of a picture that are taken at most. */
export const SOURCE_BYTES = LIMITS.source.bytes;

/**
 * Stores an uploaded picture as a source of the account, free of charge.
 * Throws TooManyBytes, SourceUnreadable, SourceTooLarge.
 */
export async function uploadSource(
  services: Services,
  accountId: number,
  bytes: Uint8Array,
): Promise<Source> {
  if (bytes.byteLength > SOURCE_BYTES) {
    throw new TooManyBytes("the picture", SOURCE_BYTES);
  }
  const origin = { kind: "upload", preset: null, seed: null, url: null } as const;
  return storeSource(services, accountId, origin, bytes, 0);
}

/**
 * Decodes the base64 text (plain or URL-safe, line breaks allowed) of a picture.
 * Throws TooManyBytes before anything is decoded, and InvalidInput at `path`.
 */
export function decodeBase64(given: string, path: string): Uint8Array {
  // As browsers and agents write it: `data:image/png;base64,…`.
  const text = given.replace(/^\s*data:[\w/+.-]*;base64,/, "");
  const odd = /[^A-Za-z0-9+/_=\s-]/.exec(text);
  if (odd) {
    const expected = "base64 text";
    const message = `expected ${expected}, got ${JSON.stringify(odd[0])} at character ${odd.index + 1}`;
    throw new InvalidInput([{ path, message, expected, received: odd[0] }]);
  }
  const digits = text.length - (text.match(/[\s=]+/g)?.join("").length ?? 0);
  if (Math.floor((digits * 3) / 4) > SOURCE_BYTES) {
    throw new TooManyBytes("the picture", SOURCE_BYTES);
  }
  return Buffer.from(text, "base64");
}
