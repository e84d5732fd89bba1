/** The change of an account's e-mail address. */
import Type, { type Static } from "typebox";
import type { Account } from "../../db/index.ts";
import { requireEmail } from "./accounts.ts";
import { Conflict, InvalidInput, issueAt } from "./errors.ts";
import { strict } from "./fields.ts";
import { countMessage, InvalidMailToken, MailToken, mailTokenHash, requireMail } from "./mail.ts";
import type { Services } from "./services.ts";
import { Email, ownPassword, requirePassword } from "./sessions.ts";

export const EmailChange = Type.Object({ email: Email, password: ownPassword }, strict);

/**
 * Changes the address if the service sends no mail; else sends the new address a link, and the change
 * waits for it. Returns whether it is changed. Throws WrongPassword, InvalidInput, Conflict for an
 * address that is taken, RateLimited, FeatureDisabled if an outside issuer makes the tokens.
 */
export async function changeEmail(
  services: Services,
  account: Account,
  { email, password }: Static<typeof EmailChange>,
): Promise<boolean> {
  const { accounts, mailTokens } = services.db;
  await requirePassword(services, account, password);
  requireEmail(email);
  if (email === account.email) {
    throw new InvalidInput([issueAt("/email", email, "another address than the present one")]);
  }
  if (services.mailer === null) {
    await mailTokens.setEmail(account.id, email);
    return true;
  }
  // The present one may be spelled otherwise.
  const owner = await accounts.byEmail(email);
  if (owner && owner.id !== account.id) {
    throw new Conflict(`there is an account with the e-mail address ${email} already`);
  }
  await countMessage(services, account);
  await mailTokens.request("change_email", account.id, email);
  return false;
}

export const EmailConfirmation = Type.Object({ token: MailToken }, strict);

/**
 * Changes the address of an account to the one that a link was sent to. The account's own session is
 * needed: an address that was mistyped may be a stranger's, who could take over the account with it.
 * Throws InvalidMailToken, Conflict for an address that was taken meanwhile, FeatureDisabled.
 */
export async function confirmEmail(
  services: Services,
  { id }: Account,
  { token }: Static<typeof EmailConfirmation>,
): Promise<Account> {
  requireMail(services);
  const account = await services.db.mailTokens.changeEmail(id, mailTokenHash(token));
  if (!account) throw new InvalidMailToken();
  return account;
}
