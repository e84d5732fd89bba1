/** The whole contract of the database, on databases of one server. */
import type { Test } from "tap";
import { accountContract } from "./accounts.ts";
import { apiKeyContract } from "./api-keys.ts";
import { authenticateAndCountContract } from "./authenticate-and-count.ts";
import { creditContract } from "./credits.ts";
import { exportContract } from "./exports.ts";
import { idempotencyContract } from "./idempotency.ts";
import { mockupContract } from "./mockups.ts";
import { patternContract } from "./patterns.ts";
import { pinnedRenderContract } from "./pinned-renders.ts";
import { quotaContract } from "./quotas.ts";
import { rateLimitContract } from "./rate-limits.ts";
import { secretContract } from "./secrets.ts";
import { sourceContract } from "./sources.ts";
import type { Subject } from "./subject.ts";

export function contract(t: Test, subject: Subject): void {
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
