import type { Account } from "../../server/actions/account-settings.ts";
import { t } from "../shared/messages.ts";

type Plan = Account["plan"];

const PLANS: readonly Plan[] = ["trial", "starter", "pro", "agency"];

/** Returns the titles of all plans by their names. */
export const planTitles = (): Readonly<Record<string, string>> =>
  Object.fromEntries(PLANS.map((plan) => [plan, t(`plan.${plan}`)]));
