/** The whole contract of the database, on databases of one server. */
import type { Test } from "tap";
import type { DatabasePool } from "../../helpers/database.ts";
import { accountContract } from "./accounts.ts";
import { apiKeyContract } from "./api-keys.ts";
import { authenticateAndCountContract } from "./authenticate-and-count.ts";
import { batchContract } from "./batches.ts";
import { creditContract } from "./credits.ts";
import { exportContract } from "./exports.ts";
import { idempotencyContract } from "./idempotency.ts";
import { mockupContract } from "./mockups.ts";
import { patternContract } from "./patterns.ts";
import { pinnedRenderContract } from "./pinned-renders.ts";
import { quotaContract } from "./quotas.ts";
import { rateLimitContract } from "./rate-limits.ts";
import { retentionContract } from "./retention.ts";
import { secretContract } from "./secrets.ts";
import { sourceContract } from "./sources.ts";

export function contract(t: Test, open: DatabasePool): void {
  accountContract(t, open);
  authenticateAndCountContract(t, open);
  apiKeyContract(t, open);
  batchContract(t, open);
  creditContract(t, open);
  exportContract(t, open);
  idempotencyContract(t, open);
  mockupContract(t, open);
  pinnedRenderContract(t, open);
  quotaContract(t, open);
  rateLimitContract(t, open);
  retentionContract(t, open);
  secretContract(t, open);
  sourceContract(t, open);
  patternContract(t, open);
}
