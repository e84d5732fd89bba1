import { setTimeout as delay } from "node:timers/promises";
import { sql } from "slonik";
import t from "tap";
import { lazyTransaction } from "../../db/connection/lazy-transaction.ts";
import { openPool, openSession } from "../../db/connection/pool.ts";
import { isDatabaseUnavailable } from "../../db/index.ts";
import { testDatabaseUrl } from "../helpers/database.ts";

t.test("a connection that breaks between two parts of a transaction is unavailable", async (t) => {
  const url = await testDatabaseUrl();
  const [pool, admin] = await Promise.all([openPool(url), openSession(url)]);
  t.teardown(() => Promise.all([pool.end(), admin.end()]));
  const work = lazyTransaction(pool);
  const write = () => work.connection.transaction((nested) => nested.query(sql.unsafe`select 1`));
  await write();
  await admin.query(
    "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  // Until this side has noticed.
  await delay(100);
  const error = await write().then(
    () => null,
    (error: unknown) => error,
  );
  t.ok(isDatabaseUnavailable(error), String(error));
  await work.rollback();
});
