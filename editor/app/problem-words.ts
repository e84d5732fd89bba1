/** What people read of an error. */
import type { Problem } from "../../server/http/problem.ts";
import { ApiError, ServiceUnreachable } from "../shared/api.ts";
import { inWords } from "../shared/attempt.ts";
import type { MessageKey } from "../shared/languages.ts";
import { t } from "../shared/messages.ts";
import { SHOP } from "./shop-frame.ts";

type Words = Readonly<Partial<Record<Problem["code"], MessageKey>>>;

/** Problems that the editor knows. Of others people read what the API says. */
const KNOWN: Words = {
  unauthorized: "problem.session",
  account_frozen: "problem.frozen",
  credits_exhausted: "problem.credits",
  plan_required: "problem.plan",
  quota_exceeded: "problem.quota",
  payload_too_large: "problem.tooLarge",
  source_unreadable: "problem.unreadable",
  source_unreachable: "problem.unreachable",
  rate_limited: "problem.busy",
  overloaded: "problem.busy",
  unavailable: "problem.busy",
  internal: "problem.fault",
  insufficient_storage: "problem.fault",
};

/** For customers, whom the state of the shop's account does not concern. */
const KNOWN_TO_CUSTOMERS: Words = {
  ...KNOWN,
  unauthorized: "problem.shopSession",
  account_frozen: "problem.shop",
  credits_exhausted: "problem.shop",
  plan_required: "problem.shop",
  quota_exceeded: "problem.shop",
};

/** Returns a sentence. */
export function problemInWords(error: unknown): string {
  if (error instanceof ServiceUnreachable) return t("problem.network");
  if (!(error instanceof ApiError)) return inWords(error);
  const { code, quota } = error;
  if (SHOP !== null && quota !== undefined) return t("problem.shopLimit");
  const key = (SHOP === null ? KNOWN : KNOWN_TO_CUSTOMERS)[code];
  return key === undefined ? inWords(error) : t(key);
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
