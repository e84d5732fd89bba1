import { hash, verify } from "@node-rs/argon2";
import type { Static } from "typebox";
import { NotOffered } from "./errors.ts";
import { countUse, digest, RateLimited } from "./rate-limits.ts";
import type { Services } from "./services.ts";
import { type Session, startSession } from "./session.ts";
import { SignUp } from "./sign-up.ts";

export const LogIn = SignUp;

/**
 * Attempts at one account, wherever they come from; from one address far fewer are let in. So a
 * stranger alone keeps nobody out.
 */
const ATTEMPTS = { quota: 100, windowSeconds: 15 * 60 };

/** No such account, or another password. Which of the two is not said. */
export class WrongPassword extends Error {
  override readonly name = "WrongPassword";
  constructor() {
    super("the e-mail address or the password is wrong");
  }
}

/** Checked where there is no account, so that the time of the answer does not tell. */
let decoy: Promise<string> | undefined;

/**
 * Starts a session for whoever knows the password. Throws WrongPassword, RateLimited after many
 * guesses, NotOffered where another issuer makes the tokens.
 */
export async function logIn(
  services: Services,
  { email, password }: Static<typeof LogIn>,
): Promise<Session> {
  const { db, tokens } = services;
  if (!tokens.areOurs) throw new NotOffered("people log in elsewhere");
  const found = await db.accounts.byEmail(email);
  // By the account where there is one: an address may be spelt in several ways.
  const who = found ? String(found.id) : digest(email);
  const attempt = await countUse(db, `login:${who}`, ATTEMPTS);
  if (!attempt.allowed) throw new RateLimited(attempt);
  decoy ??= hash("nobody's password");
  const isRight = await verify(found?.password_hash ?? (await decoy), password);
  if (!found?.password_hash || !isRight) throw new WrongPassword();
  const { password_hash: _, ...account } = found;
  return startSession(services, account);
}
