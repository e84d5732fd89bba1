import Type, { type Static } from "typebox";
import { NotFound } from "./errors.ts";
import { Id, strict } from "./resources/fields.ts";
import type { Services } from "./services.ts";

export const FinishHandoff = Type.Object({ pattern_id: Id }, strict);

/**
 * Ends a handoff with a pattern that was made in it. Gives the address to go back to. Throws
 * NotFound for any other pattern.
 */
export async function finishHandoff(
  { db }: Services,
  accountId: number,
  handoffId: number,
  { pattern_id }: Static<typeof FinishHandoff>,
): Promise<string> {
  const handoff = await db.handoffs.finish(accountId, handoffId, pattern_id);
  if (!handoff) throw new NotFound(`pattern ${pattern_id}`);
  return withPattern(handoff.return_url, pattern_id);
}

/**
 * The address with `pf_pattern_id` in its query. What else stands there is kept as it is written; a
 * `pf_pattern_id` of an earlier way back is replaced.
 */
export function withPattern(returnUrl: string, patternId: number): string {
  const url = new URL(returnUrl);
  const others = url.search
    .slice(1)
    .split("&")
    .filter((part) => part !== "" && !/^pf_pattern_id(=|$)/.test(part));
  // Not URLSearchParams: it would write the shop's own query anew.
  url.search = [...others, `pf_pattern_id=${patternId}`].join("&");
  return url.href;
}
