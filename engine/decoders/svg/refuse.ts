import { SourceUnreadable } from "../../errors.ts";

/** Throws `SourceUnreadable` with the reason. */
export function refuse(what: string): never {
  throw new SourceUnreadable(`the SVG ${what}`);
}
