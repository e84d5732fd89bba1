/** Conditional and range requests (RFC 9110, sections 13 and 14). */
import parseRange from "range-parser";
import { RangeNotSatisfiable } from "./errors.ts";

const TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** Returns the entity tags of a header, `"*"`, or null if it is malformed. */
function readTags(header: string): readonly string[] | "*" | null {
  if (header.trim() === "*") return "*";
  // A comma within a tag would split it; the service's own tags contain none.
  const tags = header.split(",").map((tag) => tag.trim());
  return tags.every((tag) => TAG.test(tag)) ? tags : null;
}

/** Whether `If-None-Match` contains this strong tag. A malformed header is ignored. */
export function matchesTag(ifNoneMatch: string, tag: string): boolean {
  const tags = readTags(ifNoneMatch);
  return tags === "*" || (tags?.some((known) => known.replace(/^W\//, "") === tag) ?? false);
}

/** Whether `If-Match` is malformed: ignoring it could overwrite someone else's change. */
export function isMalformedIfMatch(ifMatch: string | undefined): boolean {
  return ifMatch !== undefined && ifMatch !== "" && readTags(ifMatch) === null;
}

/**
 * Returns a predicate for the strong tags that a well-formed `If-Match` accepts; without the header
 * it accepts any.
 */
export function acceptedTags(ifMatch: string): (tag: string) => boolean {
  if (ifMatch === "") return () => true;
  const tags = readTags(ifMatch);
  return (tag) => tags === "*" || (tags?.includes(tag) ?? false);
}

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
