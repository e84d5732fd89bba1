/** What happened, for those who want to be told of it. */
import { sql } from "slonik";
import type { Connection } from "../connection.ts";

/**
 * Notes an event in the transaction of the thing that happened, so that nothing is announced that
 * did not happen and nothing that happened is lost.
 */
export async function recordEvent(
  transaction: Connection,
  accountId: number,
  event: "credits.low",
  data: Readonly<Record<string, string | number>>,
): Promise<void> {
  await transaction.query(sql.unsafe`
    insert into events (account_id, event, data)
    values (${accountId}, ${event}, ${JSON.stringify(data)}::jsonb)`);
}
