/** What people read of an error. */
import type { Problem } from "../../server/http/problem.ts";
import { ApiError, ServiceUnreachable } from "./api.ts";
import type { MessageKey } from "./languages.ts";
import { t } from "./messages.ts";

/** Messages by the codes of problems. */
export type ProblemWords = Readonly<Partial<Record<Problem["code"], MessageKey>>>;

/** Problems that the pages know. Of others people read what the API says, in English. */
const KNOWN: ProblemWords = {
  unauthorized: "problem.session",
  account_frozen: "problem.frozen",
  credits_exhausted: "problem.credits",
  plan_required: "problem.plan",
  quota_exceeded: "problem.quota",
  not_found: "problem.notFound",
  payload_too_large: "problem.tooLarge",
  source_unreadable: "problem.unreadable",
  source_unreachable: "problem.unreachable",
  rate_limited: "problem.tooOften",
  overloaded: "problem.busy",
  unavailable: "problem.busy",
  internal: "problem.fault",
  insufficient_storage: "problem.fault",
};

/**
 * Returns a sentence.
 * @param particular messages for problems that mean something else to this reader, or in this place
 */
export function inWords(error: unknown, particular: ProblemWords = {}): string {
  if (error instanceof ServiceUnreachable) return t("problem.network");
  if (error instanceof ApiError) {
    const key = particular[error.code] ?? KNOWN[error.code];
    if (key !== undefined) return t(key);
  }
  return t("problem.other", { reason: error instanceof Error ? error.message : String(error) });
}
