import { sql } from "slonik";
import Type from "typebox";
import { row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { endSessionsOf } from "./mcp-sessions.ts";
import { requestJob } from "./outbox.ts";

const emailRow = row({ email: Type.String() });

/** Every table with rows of an account, those with foreign keys before the tables they reference. */
const TABLES = [
  "idempotent_calls",
  "events",
  "deliveries",
  "webhooks",
  "mockups",
  "exports",
  "batches",
  "pinned_renders",
  "patterns",
  "sources",
  "handoffs",
  "api_keys",
  "credit_entries",
];

/**
 * Deletes an account with all its data, and the bytes of sources that no other account has, in one
 * transaction. Returns false when there is no such account.
 * @param tellsOwner whether mail tells its owner
 */
export function deleteAccount(pool: Connection, id: number, tellsOwner: boolean): Promise<boolean> {
  return pool.transaction(async (transaction) => {
    // A concurrent insert into the account waits for this lock, and then finds the account gone.
    const account = await transaction.maybeOne(
      sql.type(emailRow)`select email from accounts where id = ${id} for update`,
    );
    if (!account) return false;
    // Locked before anything is deleted and in one order, as in the deletion of a source.
    await transaction.query(sql.unsafe`
      create temporary table bytes_of_account on commit drop as
      select sha256 from source_bytes
      where sha256 in (select sha256 from sources where account_id = ${id})
      order by sha256 for update`);
    await transaction.query(sql.unsafe`
      delete from mcp_frames
      where session_id in (select id from mcp_sessions where account_id = ${id})`);
    await endSessionsOf(transaction, sql.fragment`account_id = ${id}`);
    for (const table of TABLES) {
      await transaction.query(sql.unsafe`
        delete from ${sql.identifier([table])} where account_id = ${id}`);
    }
    await transaction.query(sql.unsafe`
      delete from source_bytes b using bytes_of_account own
      where b.sha256 = own.sha256 and not exists (select from sources s where s.sha256 = b.sha256)`);
    await transaction.query(sql.unsafe`delete from accounts where id = ${id}`);
    if (tellsOwner) {
      const data = { purpose: "account_deleted", account_id: id, to: account.email } as const;
      await requestJob(transaction, "send_mail", { data, group: `account ${id}` });
    }
    return true;
  });
}
