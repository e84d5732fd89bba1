import type { Account } from "../../server/actions/account-settings.ts";

/** Plans by their names for people. */
export const PLANS: Readonly<Record<Account["plan"], string>> = {
  trial: "Trial",
  starter: "Starter",
  pro: "Pro",
  agency: "Agency",
};
