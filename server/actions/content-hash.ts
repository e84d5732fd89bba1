import { createHash } from "node:crypto";

/**
 * SHA-256 of a value as JSON. The order of an object's members, which depends on who wrote it, makes
 * no difference, and bytes count by their own hash.
 */
export function contentHash(value: unknown): Buffer {
  const json = JSON.stringify(value, function replace(this: Record<string, unknown>, name, given) {
    // A Buffer has made a list of numbers of itself by now.
    const original = this[name];
    if (original instanceof Uint8Array) {
      return createHash("sha256").update(original).digest("base64url");
    }
    if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
    return Object.fromEntries(Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  return createHash("sha256").update(json).digest();
}
