import { createHash } from "node:crypto";

/** What base64 text stands for, or why it stands for nothing. Survives a structured clone. */
export type Decoded =
  | {
      readonly outcome: "decoded";
      /** In shared memory, so that threads need no copies. */
      readonly bytes: Uint8Array;
      /** In hex. */
      readonly sha256: string;
    }
  | { readonly outcome: "too_large" }
  /** `character` is none of base64 and stands at `index`, counted from 0. */
  | { readonly outcome: "malformed"; readonly character: string; readonly index: number };

/** As browsers and agents write it: `data:image/png;base64,…`. */
const DATA_URL = /^\s*data:[\w/+.-]*;base64,/;

/**
 * The bytes of base64 text (plain or URL-safe, line breaks allowed), `maximumBytes` at most. The index of
 * a wrong character counts from where the data of a data URL begins.
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
