/** The database's door as types: what the server may ask for and what it gets. */

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

/** Why a balance changed. */
export const CREDIT_REASONS = [
  "opening_balance",
  "set_by_the_operator",
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

/** A call with an idempotency key, and what is to be done about it. */
export type Claim =
  /** Nobody has made this call: it is the caller's to make, on `database`. */
  | {
      readonly state: "claimed";
      /** Whatever is written through it stands or falls together with the answer. */
      readonly database: Database;
      /**
       * Keeps the answer and makes everything written through `database` lasting, both or
       * neither. Throws `Conflict` when another one took the call over in the meantime.
       */
      settle(answer: Uint8Array): Promise<void>;
      /** Undoes what was written and lets the call be made again. */
      release(): Promise<void>;
    }
  /** It was made and answered so. */
  | { readonly state: "answered"; readonly answer: Uint8Array }
  /** Somebody is making it at this moment. */
  | { readonly state: "in_flight" }
  /** The key was used for another call. */
  | { readonly state: "mismatch" };

/** How much of a quota has been used in a window of time. */
export interface RateLimitUse {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Milliseconds until the window ends and everything is allowed again. */
  readonly resetMs: number;
}

/** An MCP session over SSE. */
export interface McpSession {
  /** A UUID. */
  readonly id: string;
  readonly key_id: number;
  readonly account_id: number;
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
  /** To be called at least every 20 seconds, or the node's sessions count as dead. */
  renew(): Promise<void>;
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

export interface Database {
  /** Where it runs, without a password: `embedded PostgreSQL 18 in .data` or `PostgreSQL 17 at host/db`. */
  readonly description: string;
  /** True when the database is embedded and holds no account yet. */
  readonly isNew: boolean;

  readonly accounts: {
    create(fields: {
      email: string;
      plan: Plan;
      credits: number;
      password_hash?: string;
    }): Promise<Account>; // throws Conflict when the e-mail is taken
    byId(id: number): Promise<Account | null>;
    byEmail(email: string): Promise<(Account & { readonly password_hash: string | null }) | null>;
    list(): Promise<readonly Account[]>;
    update(
      id: number,
      fields: {
        plan?: Plan;
        credits?: number;
        frozen?: boolean;
        low_credit_threshold?: number;
        return_origins?: readonly string[];
      },
    ): Promise<Account | null>;
    /** Counts for the account page. */
    usage(id: number): Promise<{ sources: number; patterns: number; api_keys: number }>;
  };

  readonly apiKeys: {
    create(
      accountId: number,
      fields: { name: string; sha256: string; prefix: string; last_four: string },
    ): Promise<ApiKey>;
    /** The live (not revoked) key with this hash and its account; notes the use, at most once a minute. */
    authenticate(sha256: string): Promise<{ key: ApiKey; account: Account } | null>;
    list(accountId: number): Promise<readonly ApiKey[]>;
    /** The account of a live key; null once it is revoked. */
    holder(id: number): Promise<Account | null>;
    /** True when there was such a live key of this account. */
    revoke(accountId: number, id: number): Promise<boolean>;
  };

  readonly credits: {
    /** What changed the account's balance, newest first. */
    entries(
      accountId: number,
      page: { before?: number; limit: number },
    ): Promise<Page<CreditEntry>>;
  };

  readonly idempotency: {
    /**
     * Claims a call for 24 hours. Both arguments are SHA-256: of the key that names the call, and
     * of what the call asks for.
     */
    claim(accountId: number, keyHash: Uint8Array, fingerprint: Uint8Array): Promise<Claim>;
  };

  readonly rateLimits: {
    /** Counts one use of `key` (at most 200 characters) in its present window, for all nodes. */
    use(key: string, limit: { quota: number; windowSeconds: number }): Promise<RateLimitUse>;
  };

  readonly mcpSessions: {
    /** Joins as a node; `heard` is called with each frame for one of its sessions, in order. */
    join(heard: (id: string, frame: string) => void): Promise<McpNode>;
    /** The session, if its stream is open on any node. */
    find(id: string): Promise<McpSession | null>;
    /** Sends a frame to the node that holds the session's stream. */
    post(id: string, frame: string, waitingAtMost: number): Promise<"posted" | "full" | "gone">;
  };

  readonly secrets: {
    /** 32 random bytes by this name: the same ones on every node, made when they are first asked for. */
    get(name: string): Promise<Uint8Array>;
  };

  readonly sources: {
    /**
     * Stores the bytes under their SHA-256 (once, however often they come), makes the source and
     * charges `cost`, all in one transaction. Throws CreditsExhausted.
     */
    create(accountId: number, fields: NewSource, bytes: Uint8Array, cost: number): Promise<Source>;
    get(accountId: number, id: number): Promise<Source | null>;
    list(accountId: number, page: { before?: number; limit: number }): Promise<Page<Source>>;
    /** The bytes of a content address, or null. */
    bytes(sha256: string): Promise<Uint8Array | null>;
    /** False when there is no such source; throws Conflict while a pattern uses it. Unused bytes go too. */
    delete(accountId: number, id: number): Promise<boolean>;
    /** The account's sources made from presets that no pattern uses, oldest first, `limit` at most. */
    unusedPresets(accountId: number, limit: number): Promise<readonly Source[]>;
  };

  readonly patterns: {
    /** Null when the source is not the account's. Charges `cost` in the same transaction. Throws CreditsExhausted. */
    create(accountId: number, fields: PatternFields, cost: number): Promise<Pattern | null>;
    get(accountId: number, id: number): Promise<Pattern | null>;
    list(
      accountId: number,
      page: { before?: number; limit: number; group?: string; source_id?: number },
    ): Promise<Page<Pattern>>;
    /**
     * Changes what is given. `version` is what `If-Match` demands: with another one stored the
     * answer is "stale". Null when there is no such pattern (or the new source is not the account's).
     */
    update(
      accountId: number,
      id: number,
      fields: Partial<PatternFields>,
      version?: number,
    ): Promise<Pattern | "stale" | null>;
    /** False when there is no such pattern, or none in this `version` where one is given. */
    delete(accountId: number, id: number, version?: number): Promise<boolean>;
  };

  /** Answers when the database does; for readiness checks. */
  ping(): Promise<void>;
  /** Closes the connections, and stops the embedded database if this process is the last that uses it. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** A connection string; left out, the embedded PostgreSQL in `dataDir` is started or found. */
  readonly url?: string;
  readonly dataDir: string;
  /** Progress and warnings for people, one line each. */
  readonly log?: (line: string) => void;
}
