/** Parts of a body (RFC 9110, section 14). */
import parseRange from "range-parser";
import { RangeNotSatisfiable } from "./errors.ts";

export interface Part {
  /** The first byte and the last one. */
  readonly start: number;
  readonly end: number;
}

/**
 * The part of a body of `length` bytes that is asked for; null: the whole. A header that cannot be
 * read, units other than bytes and several parts at once ask for the whole, as the RFC allows; so
 * does an `If-Range` that names another version. Throws RangeNotSatisfiable.
 */
export function askedPart(
  { range, ifRange }: { readonly range: string; readonly ifRange: string },
  etag: string,
  length: number,
): Part | null {
  // A date never matches: nothing of ours has one.
  if (range === "" || (ifRange !== "" && ifRange !== etag)) return null;
  const parts = parseRange(length, range, { combine: true });
  if (parts === -1) throw new RangeNotSatisfiable(length);
  if (parts === -2 || parts.type !== "bytes" || parts.length !== 1) return null;
  return parts[0] ?? null;
}
