/** What the database keeps, as the server gets it. */

export type Plan = "starter" | "pro" | "agency" | "trial";

export interface Account {
  readonly id: number;
  readonly email: string;
  readonly plan: Plan;
  readonly credits: number;
  readonly frozen: boolean;
  readonly low_credit_threshold: number;
  readonly return_origins: readonly string[];
  readonly created_at: Date;
  /** When a link that was sent to the address was opened; null: never. */
  readonly email_verified_at: Date | null;
}

/** What a user proves an identity with. */
export interface Credentials {
  /** Argon2id; null for an account without a password. */
  readonly password_hash: string | null;
  /** Tokens with another version are revoked. */
  readonly token_version: number;
}

/** A key as it is kept: its secret exists only as a SHA-256. */
export interface ApiKey {
  readonly id: number;
  readonly account_id: number;
  readonly name: string;
  readonly prefix: string;
  readonly last_four: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

export interface Source {
  readonly id: number;
  readonly account_id: number;
  readonly kind: "preset" | "url" | "upload";
  readonly preset: string | null;
  readonly seed: number | null;
  readonly url: string | null;
  readonly media_type: string;
  readonly width: number;
  readonly height: number;
  readonly has_alpha: boolean;
  readonly sha256: string;
  readonly created_at: Date;
}

export interface Pattern {
  readonly id: number;
  readonly account_id: number;
  readonly source_id: number;
  readonly group: string;
  readonly name: string | null;
  readonly motif: unknown;
  readonly lattice: unknown;
  readonly seam: unknown;
  readonly effects: unknown;
  readonly palette: unknown;
  readonly style: string | null;
  readonly background: string | null;
  /** Grows by one with every change; the ETag is made of it. */
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A render as it was when a link to it was made. */
export interface PinnedRender {
  readonly account_id: number;
  readonly pattern_id: number;
  /** The pattern's name. */
  readonly name: string | null;
  /** SHA-256, in hex, of everything that decides the picture's bytes. */
  readonly fingerprint: string;
  /** Hex. */
  readonly source_sha256: string;
  readonly design: unknown;
  readonly fields: unknown;
}

/** Why a balance changed. */
export const CREDIT_REASONS = [
  "opening_balance",
  "set_by_the_operator",
  "adjusted_by_the_operator",
  "email_verified",
  "source",
  "pattern",
] as const;

/** A change of a balance, as the ledger keeps it. */
export interface CreditEntry {
  readonly id: number;
  /** Negative where credits were spent. */
  readonly amount: number;
  readonly reason: (typeof CREDIT_REASONS)[number];
  /** What was paid for: `source:7`. */
  readonly reference: string | null;
  readonly balance_after: number;
  readonly created_at: Date;
}

/** How much of a quota has been used in a window of time. */
export interface RateLimitUse {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Milliseconds until the window ends and everything is allowed again. */
  readonly resetMs: number;
}

/** How often a key may be used, by its account's plan. */
export interface AdmissionRules {
  readonly quotas: Readonly<Record<Plan, number>>;
  readonly windowSeconds: number;
}

/** A request with a live key. */
export interface Admission {
  readonly account: Account;
  readonly keyId: number;
  readonly use: RateLimitUse;
  /** The version of the pattern that was asked about; null where the account has no such pattern. */
  readonly patternVersion: number | null;
}

/** A shop's customer on the way through the editor. */
export interface Handoff {
  readonly id: number;
  readonly account_id: number;
  /** The shop's own number. */
  readonly product_id: number;
  readonly return_url: string;
  /** Creations, and uploads, that the customer's session may make. */
  readonly max_patterns: number;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly opened_at: Date | null;
  readonly pattern_id: number | null;
  readonly finished_at: Date | null;
}

/** An MCP session over SSE. */
export interface McpSession {
  /** A UUID. */
  readonly id: string;
  readonly key_id: number;
  readonly account_id: number;
}

/** How much of a session may wait for its node; one more frame is taken below both. */
export interface WaitingLimits {
  readonly frames: number;
  readonly bytes: number;
}

/** What a node hears of its sessions and calls. */
export interface McpListener {
  /** A frame from the client of one of its sessions, with the bytes that belong to it. */
  frame(id: string, frame: string, attachment: Uint8Array | null): void;
  /** A message to the client of one of its sessions. */
  reply(id: string, message: string): void;
  /** A key works no longer. */
  keyRevoked(keyId: number): void;
  /** A call of a key outside of sessions was cancelled, as `cancelCall` names it. */
  callCancelled(keyId: number, call: string): void;
}

/** One node's part in the sessions: the streams that it holds. */
export interface McpNode {
  /** Opens a session; null where the key has `atMost` of them already. */
  open(session: {
    readonly keyId: number;
    readonly accountId: number;
    readonly atMost: number;
  }): Promise<string | null>;
  close(id: string): Promise<void>;
  /**
   * To be called at least every 20 seconds, or the node's sessions count as dead. Gives those that
   * do so already.
   */
  renew(): Promise<readonly string[]>;
  /** Lets nothing more be posted to the node's sessions; resolves once what was posted is delivered. */
  retire(): Promise<void>;
  /** Ends all of the node's sessions. */
  leave(): Promise<void>;
}

export type NewSource = Omit<Source, "id" | "account_id" | "created_at">;
export type PatternFields = Omit<
  Pattern,
  "id" | "account_id" | "version" | "created_at" | "updated_at"
>;

/** A page of a list, newest first; `next` is the id to go on from, or null at the end. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: number | null;
}

/** The account has fewer credits than the thing costs; nothing was written. */
export class CreditsExhausted extends Error {
  override readonly name = "CreditsExhausted";
  readonly needed: number;
  constructor(needed: number) {
    super(`${needed} credit${needed === 1 ? "" : "s"} needed`);
    this.needed = needed;
  }
}

/** Something else still stands on what was to be removed or made. */
export class Conflict extends Error {
  override readonly name = "Conflict";
}

/** Stored bytes are no longer what was stored. */
export class CorruptedContent extends Error {
  override readonly name = "CorruptedContent";
  /** @param facts what its owner can do, and what showed it */
  constructor(what: string, facts: { readonly remedy: string; readonly cause?: unknown }) {
    super(`the stored bytes of ${what} are corrupted: ${facts.remedy}`, facts);
  }
}
