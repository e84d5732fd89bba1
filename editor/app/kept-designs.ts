/** Under which names designs are kept, and how a customer's gets from one session to the next. */
import type { Session } from "../shared/session.ts";
import { type Draft, FIRST_DRAFT } from "./draft.ts";
import { forget, keep, kept } from "./storage.ts";

/** Name of a session's history. The end of a token is its signature, which opens nothing on its own. */
export const historyName = (opened: Session) =>
  `design ${"account_id" in opened ? opened.account_id : opened.token.slice(-16)}`;

/** Name of the design that waits for a customer's next session at a shop; null for users. */
const waitingName = (opened: Session) =>
  "return_url" in opened ? `design for ${new URL(opened.return_url).origin}` : null;

/**
 * Keeps the design of a customer whose session has ended, without its picture, which no other session reaches.
 * @param present null: the one that is kept, where the session ended before the editor was open
 */
export function keepForNextSession(ended: Session, present: Draft | null): void {
  const name = waitingName(ended);
  const earlier = kept(historyName(ended)) as { readonly present?: object } | null;
  const design = present ?? earlier?.present;
  if (name !== null && design) keep(name, { ...design, source: null });
}

/** Has a customer's session begin with the design of one that has ended. Returns whether there is one. */
export function continueDesign(opened: Session): boolean {
  const [name, waiting] = [historyName(opened), waitingName(opened)];
  if (waiting === null || kept(name) !== null) return false;
  const present = kept(waiting);
  forget(waiting);
  return present !== null && keep(name, { past: [FIRST_DRAFT], present, future: [] });
}
