/** What people read of an error. */
import type { Failure } from "../engine/protocol.ts";
import type { ApiError } from "./api.ts";
import type { MessageKey } from "./languages.ts";
import { t } from "./messages.ts";

/** Messages by the codes of problems: those of the API, and those that a page or a worker finds. */
export type ProblemWords = Readonly<Partial<Record<Failure["code"], MessageKey>>>;

/** Problems that the pages know. Of others people read what the API says, in English. */
const KNOWN: ProblemWords = {
  unauthorized: "problem.session",
  account_frozen: "problem.frozen",
  credits_exhausted: "problem.credits",
  plan_required: "problem.plan",
  quota_exceeded: "problem.quota",
  not_found: "problem.notFound",
  precondition_failed: "problem.changed",
  payload_too_large: "problem.tooLarge",
  source_unreadable: "problem.unreadable",
  source_unreachable: "problem.unreachable",
  rate_limited: "problem.tooOften",
  overloaded: "problem.busy",
  unavailable: "problem.busy",
  internal: "problem.fault",
  insufficient_storage: "problem.fault",
  unreachable: "problem.network",
  outdated: "problem.outdated",
  unsupported: "problem.engine",
  drawing: "problem.drawing",
};

/** Messages by the first field that the service refuses. */
export type FieldWords = Readonly<Record<string, MessageKey>>;

/** What is wrong with fields that only the service can check. */
const FIELDS: FieldWords = {
  email: "problem.email",
  url: "problem.url",
};

/**
 * Returns a sentence.
 * @param particular messages for problems that mean something else to this reader, or in this place
 * @param fields messages for what this place asks for
 */
export function inWords(
  error: unknown,
  particular: ProblemWords = {},
  fields: FieldWords = FIELDS,
): string {
  const {
    code,
    message = String(error),
    field = "",
  } = Object(error) as Partial<Failure & ApiError>;
  const known = code === "validation_failed" ? fields[field] : code && KNOWN[code];
  const key = (code && particular[code]) ?? known;
  return t(key ?? "problem.other", { reason: message });
}
