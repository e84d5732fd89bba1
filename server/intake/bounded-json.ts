/** Maximum nesting: more than any request needs, and safe for recursive code. */
const DEPTH = 64;

/**
 * Maximum number of arrays, objects and members: they cost far more time and memory than their
 * bytes.
 */
const MEMBERS = 5000;

/** Valid JSON with more members or deeper nesting than any request needs. */
export class ExcessiveJson extends Error {
  override readonly name = "ExcessiveJson";
}

/** Parses JSON. Throws SyntaxError, and ExcessiveJson for too much structure. */
export function parseBoundedJson(text: string): unknown {
  if (["[", "{", ","].some((sign) => occursTooOften(text, sign))) {
    throw new ExcessiveJson(`expected JSON of at most ${MEMBERS} members, got more`);
  }
  const value: unknown = JSON.parse(text);
  if (isTooDeep(value)) {
    throw new ExcessiveJson(`expected JSON of at most ${DEPTH} levels, got deeper JSON`);
  }
  return value;
}

function occursTooOften(text: string, sign: string): boolean {
  let found = 0;
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
    found += 1;
    if (found > MEMBERS) return true;
  }
  return false;
}

function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let above = 0; above <= DEPTH; above++) {
    level = level.flatMap((member) =>
      typeof member === "object" && member !== null ? Object.values(member) : [],
    );
  }
  return level.length > 0;
}
