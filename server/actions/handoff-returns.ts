/** How a customer returns to the shop: with a pattern or without, signed. */
import { createHmac, randomBytes } from "node:crypto";
import Type, { type Static } from "typebox";
import type { Handoff } from "../../db/index.ts";
import { requireFound } from "./errors.ts";
import { Id, strict } from "./fields.ts";
import type { Services } from "./services.ts";
import type { SecretRotation } from "./webhooks.ts";

export const FinishHandoff = Type.Object({ pattern_id: Id }, strict);

/**
 * Finishes a handoff with a pattern that was created in it. Returns the URL to return to. Throws
 * NotFound for any other pattern.
 */
export async function finishHandoff(
  { db }: Services,
  accountId: number,
  handoffId: number,
  { pattern_id }: Static<typeof FinishHandoff>,
): Promise<string> {
  const finished = await db.handoffs.finish(accountId, handoffId, pattern_id);
  const handoff = requireFound(finished, `pattern ${pattern_id}`);
  return returnUrl(handoff, pattern_id, await db.handoffSecrets.signing(accountId));
}

/**
 * Cancels a handoff. Returns the URL to return to: of a finished handoff, which stays finished, the
 * one of its pattern.
 */
export async function cancelHandoff(
  { db }: Services,
  accountId: number,
  handoffId: number,
): Promise<string> {
  const handoff = await db.handoffs.cancel(accountId, handoffId);
  return returnUrl(handoff, handoff.pattern_id, await db.handoffSecrets.signing(accountId));
}

/** Parameters of a return. Those that the shop's URL has already are replaced. */
const RETURN_PARAMETERS = /^(pf_pattern_id|pf_handoff|pf_status|pf_sig)(=|$)/;

/**
 * Returns the URL that a customer returns to. The rest of its query stays byte for byte.
 * @param patternId null: without a pattern, to the URL for those who cancel
 * @param secret null: the account has none, and nothing is signed
 */
export function returnUrl(
  handoff: Pick<Handoff, "id" | "return_url" | "cancel_url" | "state">,
  patternId: number | null,
  secret: string | null,
): string {
  const { id, return_url, cancel_url, state } = handoff;
  const status = patternId === null ? "cancelled" : "finished";
  const url = new URL(patternId === null ? (cancel_url ?? return_url) : return_url);
  const others = url.search
    .slice(1)
    .split("&")
    .filter((part) => part !== "" && !RETURN_PARAMETERS.test(part))
    .filter((part) => state === null || !/^state(=|$)/.test(part));
  // What the shop reads, also where its own URL had a state.
  const read = state ?? url.searchParams.get("state") ?? "";
  const signed = `${id}.${patternId ?? ""}.${status}.${read}`;
  const added = {
    ...(patternId !== null && { pf_pattern_id: patternId }),
    pf_handoff: id,
    pf_status: status,
    ...(state !== null && { state: encodeURIComponent(state) }),
    ...(secret !== null && { pf_sig: createHmac("sha256", secret).update(signed).digest("hex") }),
  };
  const own = Object.entries(added).map(([name, value]) => `${name}=${value}`);
  // Not URLSearchParams, which would re-encode the shop's query.
  url.search = [...others, ...own].join("&");
  return url.href;
}

/**
 * Sets the secret that signs returns, which only this result contains. The one before goes on to sign
 * for the overlap, until `previousUntil`.
 */
export async function rotateHandoffSecret(
  { db }: Services,
  accountId: number,
  { overlap_hours }: Static<typeof SecretRotation>,
): Promise<{ readonly secret: string; readonly previousUntil: Date | null }> {
  const secret = `pfhs_${randomBytes(32).toString("base64url")}`;
  return {
    secret,
    previousUntil: await db.handoffSecrets.rotate(accountId, secret, overlap_hours),
  };
}
