import { sql } from "slonik";

/**
 * The condition that a row is one of the account's, and for a guest that it was made in the guest's
 * own handoff. For tables with `account_id` and `handoff_id`.
 */
export function ownedBy(accountId: number, handoffId: number | null) {
  return handoffId === null
    ? sql.fragment`account_id = ${accountId}`
    : sql.fragment`(account_id = ${accountId} and handoff_id = ${handoffId})`;
}
