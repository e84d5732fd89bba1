import { hash, verify } from "@node-rs/argon2";
import type { Static } from "typebox";
import { NotOffered } from "./errors.ts";
import { countUse, digest, RateLimited } from "./rate-limits.ts";
import type { Database, Services } from "./services.ts";
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
 * Checks a password, off the event loop. Throws WrongPassword, also where there is no hash to check
 * it against, and RateLimited after many attempts at `who`.
 */
export async function checkPassword(
  db: Database,
  who: string,
  passwordHash: string | null | undefined,
  password: string,
): Promise<void> {
  const attempt = await countUse(db, `login:${who}`, ATTEMPTS);
  if (!attempt.allowed) throw new RateLimited(attempt);
  decoy ??= hash("nobody's password");
  const isRight = await verify(passwordHash ?? (await decoy), password);
  if (!passwordHash || !isRight) throw new WrongPassword();
}

/** Throws NotOffered where an outside issuer makes the tokens. */
export function requireOwnTokens({ tokens }: Services): void {
  if (!tokens.areOurs) throw new NotOffered("users log in with another service, not here");
}

/**
 * Starts a session for whoever knows the password. Throws WrongPassword, RateLimited after many
 * guesses, NotOffered where another issuer makes the tokens.
 */
export async function logIn(
  services: Services,
  { email, password }: Static<typeof LogIn>,
): Promise<Session> {
  requireOwnTokens(services);
  const found = await services.db.accounts.byEmail(email);
  // By the account where there is one: an address may be spelt in several ways.
  const who = found ? String(found.id) : digest(email);
  await checkPassword(services.db, who, found?.password_hash, password);
  if (!found) throw new WrongPassword();
  const { password_hash: _, token_version, ...account } = found;
  return startSession(services, account, token_version);
}
