/** What people read of an error in the editor. */
import { ApiError } from "../shared/api.ts";
import { t } from "../shared/messages.ts";
import { inWords, type ProblemWords } from "../shared/problem-words.ts";
import { SHOP } from "./shop-frame.ts";

/** The state of the shop's account does not concern a customer. */
const TO_CUSTOMERS: ProblemWords = {
  unauthorized: "problem.shopSession",
  account_frozen: "problem.shop",
  credits_exhausted: "problem.shop",
  plan_required: "problem.shop",
  quota_exceeded: "problem.shop",
};

/** Returns a sentence. */
export function problemInWords(error: unknown): string {
  if (SHOP === null) return inWords(error);
  const isShopLimit = error instanceof ApiError && error.quota !== undefined;
  return isShopLimit ? t("problem.shopLimit") : inWords(error, TO_CUSTOMERS);
}

/** Returns a sentence that says why the editor does not open. */
export function whyNotOpened(error: unknown): string {
  const isOfLink = new URLSearchParams(location.search).has("handoff");
  if (!isOfLink || !(error instanceof ApiError) || error.code !== "not_found") {
    return problemInWords(error);
  }
  if (SHOP === null) return t("link.unknown");
  return document.body.dataset.link === "expired" ? t("link.expired") : t("link.used");
}
