import { hash } from "@node-rs/argon2";
import Type, { type Static } from "typebox";
import { DeadMailToken, MailToken, mailTokenHash, requireMail } from "./mail-tokens.ts";
import { countUse, digest, RateLimited } from "./rate-limits.ts";
import { strict } from "./resources/fields.ts";
import type { Services } from "./services.ts";
import { type Session, startSession } from "./session.ts";
import { Email, Password } from "./sign-up.ts";

export const PasswordResetRequest = Type.Object({ email: Email }, strict);
export const PasswordReset = Type.Object({ token: MailToken, password: Password }, strict);

/** Requests for one address, whether it has an account or not. */
const REQUESTS = { quota: 5, windowSeconds: 60 * 60 };

/**
 * Requests a link to set another password, which is sent where the address has an account. The
 * response does not tell whether it has: the same statements run in both cases. Throws RateLimited,
 * NotOffered.
 */
export async function requestPasswordReset(
  services: Services,
  { email }: Static<typeof PasswordResetRequest>,
): Promise<void> {
  requireMail(services);
  const use = await countUse(services.db, `reset:${digest(email.toLowerCase())}`, REQUESTS);
  if (!use.allowed) throw new RateLimited(use);
  const account = await services.db.accounts.byEmail(email);
  await services.db.mailTokens.request("reset_password", account?.id ?? null);
}

/**
 * Sets another password by the token of such a link, revokes all user session tokens, and starts a
 * session. Throws DeadMailToken, NotOffered.
 */
export async function resetPassword(
  services: Services,
  { token, password }: Static<typeof PasswordReset>,
): Promise<Session> {
  requireMail(services);
  const tokenHash = mailTokenHash(token);
  const { mailTokens } = services.db;
  // Hashing is costly: guesses at tokens are refused before it.
  if (!(await mailTokens.isValid("reset_password", tokenHash))) throw new DeadMailToken();
  const reset = await mailTokens.resetPassword(tokenHash, await hash(password));
  if (!reset) throw new DeadMailToken();
  return startSession(services, reset.account, reset.tokenVersion);
}
