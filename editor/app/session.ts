/** The session of a shop's customer, or of a user. */

import type { Static } from "typebox";
import type { GuestSession } from "../../server/actions/handoffs.ts";
import type { Session as UserSession } from "../../server/actions/sessions.ts";
import { call } from "./api.ts";

export type Session = GuestSession | Static<typeof UserSession>;

/**
 * Opens the handoff in the page's address. The link works once, so the session is kept in the fragment
 * of the address, which no request contains: a reload finds it there. Resolves with null without a
 * handoff. Rejects with `ApiError`.
 */
export async function openSession(): Promise<Session | null> {
  const kept = decodeURIComponent(location.hash.slice(1));
  if (kept.startsWith("{")) return JSON.parse(kept);
  const handoff = new URLSearchParams(location.search).get("handoff");
  if (handoff === null) return null;
  return keep(await call<GuestSession>("POST", "embed/sessions", { json: { handoff } }));
}

/** Starts a user's session. Rejects with `ApiError`. */
export async function signIn(email: string, password: string): Promise<Session> {
  return keep(await call("POST", "auth/login", { json: { email, password } }));
}

function keep<Opened extends Session>(session: Opened): Opened {
  history.replaceState(null, "", `#${encodeURIComponent(JSON.stringify(session))}`);
  return session;
}
