/** The errors of queries; `QuotaExceeded` stands beside the quotas. */

/** The account has fewer credits than needed; nothing was written. */
export class CreditsExhausted extends Error {
  override readonly name = "CreditsExhausted";
  readonly code = "credits_exhausted";
  readonly needed: number;
  constructor(needed: number) {
    super(`${needed} credit${needed === 1 ? "" : "s"} needed`);
    this.needed = needed;
  }
}

/** Another row or call is in the way of this change; nothing was written. */
export class Conflict extends Error {
  override readonly name = "Conflict";
  readonly code = "conflict";
}

/** Stored bytes no longer match their SHA-256. */
export class CorruptedContent extends Error {
  override readonly name = "CorruptedContent";
  readonly code = "content_corrupted";
  /** @param facts what its owner can do, and the error that showed it */
  constructor(what: string, facts: { readonly remedy: string; readonly cause?: unknown }) {
    super(`the stored bytes of ${what} are corrupted: ${facts.remedy}`, facts);
  }
}

/** The run of an export may write no more: the export was deleted, or a later run has begun. */
export class Superseded extends Error {
  override readonly name = "Superseded";
}
