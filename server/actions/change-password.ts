import Type, { type Static } from "typebox";
import type { Account } from "../../db/index.ts";
import { findCredentials, setPassword } from "./accounts.ts";
import { checkPassword, requireOwnTokens } from "./log-in.ts";
import { strict } from "./resources/fields.ts";
import type { Services } from "./services.ts";
import { type Session, startSession } from "./session.ts";
import { Password } from "./sign-up.ts";

export const PasswordChange = Type.Object(
  {
    current: Type.String({ maxLength: 1000, examples: ["correct horse battery"] }),
    new: Password,
  },
  strict,
);

/**
 * Sets another password, revokes all tokens of the account, and returns a session with a new one.
 * Throws WrongPassword, RateLimited after many guesses, NotOffered where another issuer makes the
 * tokens.
 */
export async function changePassword(
  services: Services,
  account: Account,
  change: Static<typeof PasswordChange>,
): Promise<Session> {
  requireOwnTokens(services);
  const { password_hash } = await findCredentials(services.db, account.id);
  await checkPassword(services.db, String(account.id), password_hash, change.current);
  const version = await setPassword(services.db, account.id, change.new);
  return startSession(services, account, version);
}
