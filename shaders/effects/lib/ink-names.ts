/** Which names inks can have: what a PDF contains and people can tell apart. Pages check them, too. */
import { PICTURE_COLOURS } from "../effect.ts";

export const INK_LIMITS = {
  count: { minimum: 2, maximum: PICTURE_COLOURS },
  /** Characters of a name, and its bytes in UTF-8 (ISO 32000-1, table C.1). */
  name: { characters: 60, bytes: 127 },
} as const;

/** Colorants by which a PDF means all plates, none, and the process colours (ISO 32000-1, § 8.6.6.4). */
const RESERVED = ["All", "None", "Cyan", "Magenta", "Yellow", "Black"];

/** Control characters, line separators, and what XML 1.0 cannot contain. */
const CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufffe\\uffff";

/** What is invisible, and what turns the text around it; not the joiners, which scripts and emoji need. */
const INVISIBLE = "\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069\\ufeff";

const WITHIN = CONTROLS + INVISIBLE;

/** A name without spaces at its ends. */
export const NAME_PATTERN = `^[^\\s${WITHIN}]([^${WITHIN}]*[^\\s${WITHIN}])?$`;

/** Returns whether people would read two names, or colours, as the same. */
export const isSameText = (one: string, other: string): boolean => folded(one) === folded(other);

const folded = (text: string) => text.normalize("NFKC").toLowerCase();

/** Returns the name of an ink without one. @param number its place in the list, from 1 */
export const automaticName = (number: number, colour: string): string => `Ink ${number} ${colour}`;

/** Returns whether a name is like those of inks without one. */
export const isAutomaticName = (name: string): boolean =>
  /^ink \d+ #[\da-f]{6}$/.test(folded(name));

/** Why an ink cannot have a name. */
export type NameFault = "text" | "reserved" | "bytes";

/** Returns why an ink cannot have a name, whatever the others are called; null if it can. */
export function nameFault(name: string): NameFault | null {
  const { characters, bytes } = INK_LIMITS.name;
  if ([...name].length > characters || !new RegExp(NAME_PATTERN).test(name)) return "text";
  if (RESERVED.some((word) => isSameText(word, name))) return "reserved";
  const { length } = new TextEncoder().encode(name);
  return name.isWellFormed() && length <= bytes ? null : "bytes";
}

/** The reserved names, for messages. */
export const reservedNames = `${RESERVED.slice(0, -1).join(", ")} and ${RESERVED.at(-1)}`;
