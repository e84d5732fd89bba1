import { NotFound } from "./errors.ts";
import { requireOwnTokens } from "./log-in.ts";
import type { Services } from "./services.ts";

/**
 * Revokes all user session tokens of an account, on every node; API keys keep working. Throws NotFound
 * for an account that is gone, NotOffered where another issuer makes the tokens.
 */
export async function logOut(services: Services, accountId: number): Promise<void> {
  requireOwnTokens(services);
  const version = await services.db.accounts.revokeTokens(accountId);
  if (version === null) throw new NotFound(`account ${accountId}`);
}
