/** The session of a shop's customer, or of a user. */

import type { Static } from "typebox";
import type { GuestSession } from "../../server/actions/handoffs.ts";
import type { Session as SessionFields } from "../../server/actions/sessions.ts";
import { call } from "./api.ts";

export type UserSession = Static<typeof SessionFields>;
export type Session = GuestSession | UserSession;

/** Where the browser's tab keeps the session of a user. */
const USER = "session";

/**
 * Opens the session of this tab, or else the handoff in the page's address. The link works once, so a
 * customer's session is kept in the fragment of the address, which no request contains: a reload finds
 * it there. A user's session reaches the whole account and stays out of the address. Resolves with null
 * where there is none. Rejects with `ApiError`.
 */
export async function openSession(): Promise<Session | null> {
  const kept = location.hash.slice(1);
  if (/^(%7B|\{)/.test(kept)) return JSON.parse(decodeURIComponent(kept));
  const handoff = new URLSearchParams(location.search).get("handoff");
  if (handoff === null) return userSession();
  const session = framedSession(handoff) ?? (await newSession(handoff));
  history.replaceState(null, "", `#${encodeURIComponent(JSON.stringify(session))}`);
  return session;
}

async function newSession(handoff: string): Promise<GuestSession> {
  const session = await call<GuestSession>("POST", "embed/sessions", { json: { handoff } });
  try {
    if (isFramed) sessionStorage.setItem(handoff, JSON.stringify(session));
  } catch {
    // The browser forbids it to a frame: the session lives as long as the frame.
  }
  return session;
}

const isFramed = parent !== window;

/**
 * Returns the session that this tab began with a handoff in a frame; null without one. A frame that is gone
 * has lost its fragment: the shop's page opens the same link again after a crash.
 */
function framedSession(handoff: string): GuestSession | null {
  try {
    return isFramed ? JSON.parse(sessionStorage.getItem(handoff) ?? "null") : null;
  } catch {
    return null;
  }
}

/** Returns the session of a user in this tab; null without one, or after its end. */
export function userSession(): UserSession | null {
  const kept: UserSession | null = JSON.parse(sessionStorage.getItem(USER) ?? "null");
  return kept !== null && Date.parse(kept.expires_at) > Date.now() ? kept : null;
}

/** Starts a user's session, which the tab keeps. Rejects with `ApiError`. */
export async function signIn(email: string, password: string): Promise<UserSession> {
  return keepSession(await call("POST", "auth/login", { json: { email, password } }));
}

/** Keeps a user's session in this tab, in place of another one. */
export function keepSession(session: UserSession): UserSession {
  sessionStorage.setItem(USER, JSON.stringify(session));
  return session;
}

/** Forgets the user's session. */
export function dropSession(): void {
  sessionStorage.removeItem(USER);
}
