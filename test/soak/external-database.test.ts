/** The database contract on a PostgreSQL of the system. */
import t from "tap";
import { openSession } from "../../db/connection/pool.ts";
import { migrate } from "../../db/migrations/migrate.ts";
import { contract } from "../db/contract/index.ts";
import { findInstalled, startExternalServer } from "../db/external-server.ts";
import { createDatabasePool } from "../helpers/database.ts";
import { urlOf } from "../helpers/database-servers.ts";

const installed = await findInstalled();
const skip = installed ? false : "no PostgreSQL is installed on this system";

t.test("external", { skip }, async (t) => {
  const server = await startExternalServer(t, installed ?? "");
  const admin = await openSession(server);
  t.teardown(() => admin.end());
  await admin.query("create database migrated");
  await migrate(urlOf(server, "migrated"));
  let made = 0;
  const makeUrl = async () => {
    const name = `contract_${++made}`;
    await admin.query(`create database ${name} template migrated`);
    return urlOf(server, name);
  };
  contract(t, createDatabasePool(t, makeUrl));
});
