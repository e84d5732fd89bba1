import { createHash } from "node:crypto";

/**
 * Returns the SHA-256 of a value as JSON. The order of an object's members makes no difference;
 * bytes (not Buffers, which JSON turns into arrays) are replaced by their own hash.
 */
export function contentHash(value: unknown): Buffer {
  const json = JSON.stringify(value, (_, member: unknown) => {
    if (member instanceof Uint8Array)
      return createHash("sha256").update(member).digest("base64url");
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  return createHash("sha256").update(json).digest();
}
