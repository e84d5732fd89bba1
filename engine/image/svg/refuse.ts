import { SourceUnreadable } from "../../errors.ts";

/** Throws `SourceUnreadable` with what is wrong with the drawing. */
export function refuse(what: string): never {
  throw new SourceUnreadable(`the SVG ${what}`);
}
