/** The session of a shop's customer. */
import type { GuestSession } from "../../server/actions/handoffs.ts";
import { call } from "./api.ts";

/**
 * Opens the handoff in the page's address. The link works once, so the session is kept in the fragment
 * of the address, which no request contains: a reload finds it there. Resolves with null without a
 * handoff. Rejects with `ApiError`.
 */
export async function openSession(): Promise<GuestSession | null> {
  const kept = decodeURIComponent(location.hash.slice(1));
  if (kept.startsWith("{")) return JSON.parse(kept);
  const handoff = new URLSearchParams(location.search).get("handoff");
  if (handoff === null) return null;
  const session = await call<GuestSession>("POST", "embed/sessions", { json: { handoff } });
  history.replaceState(null, "", `#${encodeURIComponent(JSON.stringify(session))}`);
  return session;
}
