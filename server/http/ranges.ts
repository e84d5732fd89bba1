/** Range requests (RFC 9110, section 14). */
import parseRange from "range-parser";
import { RangeNotSatisfiable } from "./errors.ts";

export interface ByteRange {
  /** Offsets of the first and the last byte. */
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the requested range of a body of `length` bytes; null for all of it. Malformed headers,
 * units other than bytes and multiple ranges are ignored, as the RFC allows, and so is a range
 * whose `If-Range` names another version. Throws RangeNotSatisfiable.
 */
export function requestedRange(
  { range, ifRange }: { readonly range: string; readonly ifRange: string },
  etag: string,
  length: number,
): ByteRange | null {
  // A date never matches: responses have no Last-Modified.
  if (range === "" || (ifRange !== "" && ifRange !== etag)) return null;
  const parts = parseRange(length, range, { combine: true });
  if (parts === -1) throw new RangeNotSatisfiable(length);
  if (parts === -2 || parts.type !== "bytes" || parts.length !== 1) return null;
  return parts[0] ?? null;
}
