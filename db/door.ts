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
    /** True when there was such a live key of this account. */
    revoke(accountId: number, id: number): Promise<boolean>;
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
    delete(accountId: number, id: number): Promise<boolean>;
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
