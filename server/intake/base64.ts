import { createHash } from "node:crypto";

/** Decoded base64 text, or why it is invalid. Survives a structured clone. */
export type Decoded =
  | {
      readonly outcome: "decoded";
      /** In shared memory, so that threads need no copy. */
      readonly bytes: Uint8Array;
      /** In hex. */
      readonly sha256: string;
    }
  | { readonly outcome: "too_large" }
  /** `character` at `index`, counted from 0, is not base64. */
  | { readonly outcome: "malformed"; readonly character: string; readonly index: number };

/** Prefix of data URLs: `data:image/png;base64,…`. */
const DATA_URL = /^\s*data:[\w/+.-]*;base64,/;

/**
 * Decodes base64 text (plain or URL-safe, line breaks allowed) of at most `maximumBytes`. The index
 * of an invalid character counts from the start of a data URL's data.
 */
export function decodeBase64(given: string, maximumBytes: number): Decoded {
  const text = given.slice(DATA_URL.exec(given)?.[0].length ?? 0);
  const wrong = /[^A-Za-z0-9+/_=\s-]/.exec(text);
  if (wrong) return { outcome: "malformed", character: wrong[0], index: wrong.index };
  const space = new Uint8Array(new SharedArrayBuffer(Buffer.byteLength(text, "base64")));
  const length = Buffer.from(space.buffer).write(text, "base64");
  if (length > maximumBytes) return { outcome: "too_large" };
  const bytes = space.subarray(0, length);
  return { outcome: "decoded", bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}
