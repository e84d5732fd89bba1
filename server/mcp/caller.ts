/** Who calls over MCP: the holder of an API key, looked at anew with every call. */
import { requireActive, requireProgrammaticPlan } from "../actions/accounts.ts";
import { KeyRevoked } from "../actions/errors.ts";
import { countRequest, RateLimited } from "../actions/rate-limits.ts";
import type { Account, Services } from "../actions/services.ts";

export interface Caller {
  /** The account as it is now. Throws KeyRevoked, AccountFrozen, PlanRequired, RateLimited. */
  admit(): Promise<Account>;
}

/**
 * The holder of a key whose sessions may outlast the key, the plan and the credits. `counts` says
 * whether a call is counted here; over HTTP the request that brought it was.
 */
export function keyHolder({ db }: Services, keyId: number, counts: boolean): Caller {
  return {
    async admit() {
      const account = await db.apiKeys.holder(keyId);
      if (!account) throw new KeyRevoked();
      requireActive(account);
      requireProgrammaticPlan(account);
      if (counts) {
        const use = await countRequest(db, { kind: "key", id: keyId, account });
        if (!use.allowed) throw new RateLimited(use);
      }
      return account;
    },
  };
}
