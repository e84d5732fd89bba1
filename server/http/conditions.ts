/** Conditional requests (RFC 9110, section 13): what If-Match and If-None-Match ask for. */

const TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** The entity tags of a header, `"*"`, or null where it cannot be read. */
function readTags(header: string): readonly string[] | "*" | null {
  if (header.trim() === "*") return "*";
  // A comma inside a tag would end it here; tags of ours have none.
  const tags = header.split(",").map((tag) => tag.trim());
  return tags.every((tag) => TAG.test(tag)) ? tags : null;
}

/**
 * Whether `If-None-Match` says that the caller has the picture with this strong tag already.
 * A header that cannot be read asks for nothing.
 */
export function hasAlready(ifNoneMatch: string, tag: string): boolean {
  const tags = readTags(ifNoneMatch);
  return tags === "*" || (tags?.some((known) => known.replace(/^W\//, "") === tag) ?? false);
}

/** Whether there is an `If-Match` that cannot be read: a guess could overwrite somebody's work. */
export function unreadableIfMatch(ifMatch: string | undefined): boolean {
  return ifMatch !== undefined && ifMatch !== "" && readTags(ifMatch) === null;
}

/** What a readable `If-Match` accepts, as a test of strong tags; without the header it accepts any. */
export function acceptedTags(ifMatch: string): (tag: string) => boolean {
  if (ifMatch === "") return () => true;
  const tags = readTags(ifMatch);
  return (tag) => tags === "*" || (tags?.includes(tag) ?? false);
}
