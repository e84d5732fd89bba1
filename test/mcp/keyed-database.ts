/** A database with an account and its key, for services in separate processes. */
import type { Test } from "tap";
import { openSession } from "../../db/connection/pool.ts";
import { type Database, openDatabase } from "../../db/index.ts";
import { createAccount } from "../../server/actions/accounts.ts";
import { createApiKey } from "../../server/actions/api-keys.ts";
import type { Account } from "../../server/actions/services.ts";
import { testDatabaseUrl } from "../helpers/database.ts";

export interface KeyedDatabase {
  readonly db: Database;
  readonly account: Account;
  readonly DATABASE_URL: string;
  readonly SERVICE_API_KEY: string;
  /** The rows of a statement in plain SQL. */
  // biome-ignore lint/suspicious/noExplicitAny: rows of every shape
  query(statement: string): Promise<any[]>;
}

/** A new one. */
export async function keyedDatabase(t: Test, plan: "pro" | "agency" = "pro") {
  const DATABASE_URL = await testDatabaseUrl();
  const db = await openDatabase({ url: DATABASE_URL, dataDir: "" });
  const session = await openSession(DATABASE_URL);
  t.teardown(async () => {
    await session.end();
    await db.close();
  });
  const account = await createAccount(db, { email: "a@example.com", plan });
  const { secret: SERVICE_API_KEY } = await createApiKey(db, account.id, "test");
  const query: KeyedDatabase["query"] = async (text) => (await session.query(text)).rows;
  return { db, account, DATABASE_URL, SERVICE_API_KEY, query };
}
