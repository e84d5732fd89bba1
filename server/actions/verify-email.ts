import Type, { type Static } from "typebox";
import type { Account } from "../../db/index.ts";
import { DeadMailToken, MailToken, mailTokenHash, requireMail } from "./mail-tokens.ts";
import { countUse, RateLimited } from "./rate-limits.ts";
import { strict } from "./resources/fields.ts";
import type { Services } from "./services.ts";

export const EmailVerification = Type.Object({ token: MailToken }, strict);

/** Messages that one account may request. */
const MESSAGES = { quota: 5, windowSeconds: 60 * 60 };

/**
 * Marks the address of an account as verified and grants the credits that depend on it. Throws
 * DeadMailToken, NotOffered.
 */
export async function verifyEmail(
  services: Services,
  { token }: Static<typeof EmailVerification>,
): Promise<Account> {
  requireMail(services);
  const account = await services.db.mailTokens.verifyEmail(mailTokenHash(token));
  if (!account) throw new DeadMailToken();
  return account;
}

/** Requests another link to verify the account's address. Throws RateLimited, NotOffered. */
export async function requestVerification(services: Services, account: Account): Promise<void> {
  requireMail(services);
  const use = await countUse(services.db, `mail:${account.id}`, MESSAGES);
  if (!use.allowed) throw new RateLimited(use);
  await services.db.mailTokens.request("verify_email", account.id);
}
