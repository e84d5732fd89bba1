/** The database contract, on the embedded server and on one of the system. */
import t, { type Test } from "tap";
import { openSession } from "../../db/connection/pool.ts";
import { migrate } from "../../db/migrations/migrate.ts";
import { testDatabaseUrl } from "../helpers/database.ts";
import { urlOf } from "../helpers/database-servers.ts";
import { accountContract } from "./contract/accounts.ts";
import { apiKeyContract } from "./contract/api-keys.ts";
import { authenticateAndCountContract } from "./contract/authenticate-and-count.ts";
import { creditContract } from "./contract/credits.ts";
import { exportContract } from "./contract/exports.ts";
import { idempotencyContract } from "./contract/idempotency.ts";
import { mockupContract } from "./contract/mockups.ts";
import { patternContract } from "./contract/patterns.ts";
import { pinnedRenderContract } from "./contract/pinned-renders.ts";
import { quotaContract } from "./contract/quotas.ts";
import { rateLimitContract } from "./contract/rate-limits.ts";
import { secretContract } from "./contract/secrets.ts";
import { sourceContract } from "./contract/sources.ts";
import type { Subject } from "./contract/subject.ts";
import { findInstalled, startExternalServer } from "./external-server.ts";

function contract(t: Test, subject: Subject): void {
  accountContract(t, subject);
  authenticateAndCountContract(t, subject);
  apiKeyContract(t, subject);
  creditContract(t, subject);
  exportContract(t, subject);
  idempotencyContract(t, subject);
  mockupContract(t, subject);
  pinnedRenderContract(t, subject);
  quotaContract(t, subject);
  rateLimitContract(t, subject);
  secretContract(t, subject);
  sourceContract(t, subject);
  patternContract(t, subject);
}

t.test("embedded", (t) => {
  contract(t, testDatabaseUrl);
  t.end();
});

const installed = await findInstalled();
const skip = installed ? false : "no PostgreSQL is installed on this system";

t.test("external", { skip }, async (t) => {
  const server = await startExternalServer(t, installed ?? "");
  const admin = await openSession(server);
  t.teardown(() => admin.end());
  await admin.query("create database migrated");
  await migrate(urlOf(server, "migrated"));
  let made = 0;
  contract(t, async () => {
    const name = `contract_${++made}`;
    await admin.query(`create database ${name} template migrated`);
    return urlOf(server, name);
  });
});
