import { sql } from "slonik";

/**
 * The condition that a row belongs to the account, and for a guest to the guest's handoff. For tables
 * with `account_id` and `handoff_id`.
 */
export function ownedBy(accountId: number, handoffId: number | null) {
  return handoffId === null
    ? sql.fragment`account_id = ${accountId}`
    : sql.fragment`(account_id = ${accountId} and handoff_id = ${handoffId})`;
}
