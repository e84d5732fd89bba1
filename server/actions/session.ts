/** User sessions: what users get who have shown who they are. */
import type { Account } from "../../db/index.ts";
import type { Services } from "./services.ts";

export interface Session {
  readonly account: Account;
  readonly token: string;
  readonly expiresAt: Date;
}

/** A token for the account's owner, in a version of the account's tokens. */
export async function startSession(
  { tokens }: Services,
  account: Account,
  version: number,
): Promise<Session> {
  return { account, ...(await tokens.sign(account.id, version)) };
}
