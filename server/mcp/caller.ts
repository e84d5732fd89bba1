/** Authentication of MCP calls: the holder of an API key, looked up again for every call. */
import { requireActive, requireProgrammaticPlan } from "../actions/accounts.ts";
import { KeyRevoked } from "../actions/errors.ts";
import { countRequest, RateLimited } from "../actions/rate-limits.ts";
import type { Account, Services } from "../actions/services.ts";

export interface Caller {
  /** Returns the current account. Throws KeyRevoked, AccountFrozen, PlanRequired, RateLimited. */
  authenticate(): Promise<Account>;
}

/**
 * Returns the holder of a key, whose sessions may outlast the key, the plan and the credits.
 * `counts` says whether calls are counted here; over HTTP their requests are.
 */
export function keyHolder({ db }: Services, keyId: number, counts: boolean): Caller {
  return {
    async authenticate() {
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
