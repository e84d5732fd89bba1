/** Levels of arrays and objects: more than any request needs, and no risk to code that recurs. */
const DEPTH = 64;

/** Arrays, objects and their members: they cost far more time and memory than their text has bytes. */
const MEMBERS = 5000;

/** JSON that is right and yet larger or deeper in structure than any request needs. */
export class ExcessiveJson extends Error {
  override readonly name = "ExcessiveJson";
}

/** The value of a JSON text. Throws SyntaxError, and ExcessiveJson for too much structure. */
export function parseBoundedJson(text: string): unknown {
  if (["[", "{", ","].some((sign) => isOftenIn(text, sign))) {
    throw new ExcessiveJson(`expected JSON of at most ${MEMBERS} members, got more`);
  }
  const value: unknown = JSON.parse(text);
  if (isTooDeep(value)) {
    throw new ExcessiveJson(`expected JSON of at most ${DEPTH} levels, got deeper JSON`);
  }
  return value;
}

function isOftenIn(text: string, sign: string): boolean {
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
