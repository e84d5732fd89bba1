/** The database's door as types: what the server may ask for and what it gets. */

import type { JobData, JobSummary, JobsOptions, ListedJobs, QueueName } from "../jobs/types.ts";
import type { Quotas } from "../quotas.ts";
import type { Accounts } from "./accounts.ts";
import type { Exports, Mockups } from "./exports.ts";
import type { MailTokens } from "./mail.ts";
import type {
  Account,
  Admission,
  AdmissionRules,
  ApiKey,
  CreditEntry,
  Handoff,
  McpListener,
  McpNode,
  McpSession,
  NewSource,
  Page,
  Pattern,
  PatternFields,
  PinnedRender,
  RateLimitUse,
  Source,
  WaitingLimits,
} from "./records.ts";
import type { Delivery, EventName, Outcome, OutgoingDelivery, Webhook } from "./webhook-records.ts";

export * from "../jobs/types.ts";
export * from "../quotas.ts";
export * from "./export-records.ts";
export * from "./mail.ts";
export * from "./records.ts";
export * from "./webhook-records.ts";

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

/** A job as its handler sees it. */
export interface Job<Queue extends QueueName> {
  readonly data: JobData[Queue];
  /** How often it was begun, this time included. */
  readonly tries: number;
  /** Whatever is written through it is written together with the end of the job, or not at all. */
  readonly database: Database;
  /** The time by the jobs' clock, in milliseconds since 1970. */
  now(): number;
  /** Aborts when the job has taken too long or this process stops: another one will do it. */
  readonly signal: AbortSignal;
}

export type JobHandler<Queue extends QueueName> = (job: Job<Queue>) => Promise<void>;

/** This process's part in the jobs. */
export interface Jobs {
  /**
   * Takes jobs of a queue, `atOnce` at a time and of each group at most `ofEachGroup`. One whose
   * handler throws, or whose process dies, is done again, by any process.
   */
  work<Queue extends QueueName>(
    queue: Queue,
    places: { readonly atOnce: number; readonly ofEachGroup: number },
    handler: JobHandler<Queue>,
  ): Promise<void>;
  /** Takes no more jobs and waits for those that run; what is not done after `graceMs` is given up. */
  stop(graceMs: number): Promise<void>;
}

export interface Database {
  /** Where it runs, without a password: `embedded PostgreSQL 18 in .data` or `PostgreSQL 17 at host/db`. */
  readonly description: string;
  /** True when the database is embedded and holds no account yet. */
  readonly isNew: boolean;
  /** What each plan may hold and have in flight. */
  readonly quotas: Quotas;

  readonly accounts: Accounts;

  readonly apiKeys: {
    /** Throws QuotaExceeded. */
    create(
      accountId: number,
      fields: { name: string; sha256: string; prefix: string; last_four: string },
    ): Promise<ApiKey>;
    /** The live (not revoked) key with this hash and its account; notes the use, at most once a minute. */
    authenticate(sha256: string): Promise<{ key: ApiKey; account: Account } | null>;
    /**
     * Lets a request in: what `authenticate` gives, with one use counted of `key:<its id>` as
     * `rateLimits.use` counts, and what is stored of one of the account's patterns; in one query.
     */
    admit(
      sha256: string,
      rules: AdmissionRules,
      patternId: number | null,
    ): Promise<Admission | null>;
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
     * of what the call asks for. A call in flight can be claimed again once the process that
     * claimed it has lost its connection to the database.
     */
    claim(accountId: number, keyHash: Uint8Array, fingerprint: Uint8Array): Promise<Claim>;
  };

  readonly rateLimits: {
    /** Counts one use of `key` (at most 200 characters) in its present window, for all nodes. */
    use(key: string, limit: { quota: number; windowSeconds: number }): Promise<RateLimitUse>;
  };

  /** The same database as a guest reaches it: of sources and patterns, what was made in the handoff. */
  forGuest(handoffId: number): Database;

  readonly handoffs: {
    create(
      accountId: number,
      fields: {
        /** SHA-256. */
        readonly tokenHash: Uint8Array;
        readonly product_id: number;
        readonly return_url: string;
        readonly max_patterns: number;
        readonly lifetimeSeconds: number;
      },
    ): Promise<Handoff>;
    /** The handoff whose token has this hash; null when that is unknown, used or expired. */
    waiting(tokenHash: Uint8Array): Promise<Handoff | null>;
    /** Uses a handoff's token up; null when somebody else was faster. */
    open(id: number): Promise<Handoff | null>;
    /** Notes what the customer goes back with; null for a pattern that was not made in the handoff. */
    finish(accountId: number, id: number, patternId: number): Promise<Handoff | null>;
  };

  readonly mailTokens: MailTokens;

  readonly mcpSessions: {
    /** Joins as a node, which hears of what concerns its sessions and calls, in order. */
    join(heard: McpListener): Promise<McpNode>;
    /** The session, if its stream is open on any node. */
    find(id: string): Promise<McpSession | null>;
    /** Sends a frame, and bytes that belong to it, to the node that holds the session's stream. */
    post(
      id: string,
      frame: string,
      attachment: Uint8Array | null,
      atMost: WaitingLimits,
    ): Promise<"posted" | "full" | "gone">;
    /** Sends a message to the session's client, by the node that holds its stream. */
    reply(id: string, message: string, atMost: WaitingLimits): Promise<"posted" | "full" | "gone">;
    /**
     * Tells every node that a call of a key outside of sessions was cancelled. `call` names it, without
     * spaces and in at most 1,000 characters.
     */
    cancelCall(keyId: number, call: string): Promise<void>;
  };

  readonly secrets: {
    /** 32 random bytes by this name: the same ones on every node, made when they are first asked for. */
    get(name: string): Promise<Uint8Array>;
  };

  readonly sources: {
    /**
     * Stores the bytes under their SHA-256 (once, however often they come; what is there and damaged
     * is replaced), makes the source and charges `cost`, all in one transaction. Throws CreditsExhausted,
     * QuotaExceeded.
     */
    create(accountId: number, fields: NewSource, bytes: Uint8Array, cost: number): Promise<Source>;
    /**
     * Checks that one more source of so many bytes and this cost would be accepted at this moment,
     * which saves work in vain; `create` checks again. Throws QuotaExceeded.
     */
    checkQuotas(accountId: number, bytes: number, cost: number): Promise<void>;
    get(accountId: number, id: number): Promise<Source | null>;
    list(accountId: number, page: { before?: number; limit: number }): Promise<Page<Source>>;
    /** The bytes of a content address, or null. They lie in shared memory, so that threads need no copies. */
    bytes(sha256: string): Promise<Uint8Array | null>;
    /** False when there is no such source; throws Conflict while a pattern uses it. Unused bytes go too. */
    delete(accountId: number, id: number): Promise<boolean>;
    /** The account's sources made from presets that no pattern uses, oldest first, `limit` at most. */
    unusedPresets(accountId: number, limit: number): Promise<readonly Source[]>;
  };

  readonly patterns: {
    /** Null when the source is not the account's. Charges `cost` in the same transaction. Throws CreditsExhausted, QuotaExceeded. */
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

  readonly pinnedRenders: {
    /**
     * Stores a render under its id (32 hex digits of a content hash) until `expiresAt`, and deletes
     * the account's expired ones. One that is stored already is kept until the later of both times.
     * Throws QuotaExceeded.
     */
    pin(id: string, render: PinnedRender, expiresAt: Date): Promise<void>;
    /** When the first of an account's renders expires; null where it has none. */
    firstExpiry(accountId: number): Promise<Date | null>;
    /** The render with this id; `has_source` says whether its account still has the source. */
    find(id: string): Promise<(PinnedRender & { readonly has_source: boolean }) | null>;
    /** Deletes the renders whose time is over. */
    forgetExpired(): Promise<void>;
  };

  readonly webhooks: {
    /** Throws Conflict where the account has `atMost` of them already. */
    create(
      accountId: number,
      fields: { url: string; events: readonly EventName[]; secret: string },
      atMost: number,
    ): Promise<Webhook>;
    /** Newest first. */
    list(accountId: number): Promise<readonly Webhook[]>;
    get(accountId: number, id: number): Promise<Webhook | null>;
    /** Changes what is given; `enabled: true` also puts one in use again whose receiver was gone. */
    update(
      accountId: number,
      id: number,
      fields: { url?: string; events?: readonly EventName[]; enabled?: boolean },
    ): Promise<Webhook | null>;
    /** Its deliveries go with it. False when there is no such webhook. */
    delete(accountId: number, id: number): Promise<boolean>;
    /** Gives it another secret; the one it had goes on for so many hours. */
    rotateSecret(
      accountId: number,
      id: number,
      secret: string,
      overlapHours: number,
    ): Promise<Webhook | null>;
    /** Sends it an event of no consequence, `ping`. */
    ping(accountId: number, id: number): Promise<Delivery | "disabled" | null>;
  };

  readonly deliveries: {
    list(
      accountId: number,
      webhookId: number,
      page: { before?: number; limit: number },
    ): Promise<Page<Delivery>>;
    /** Sends it again, whatever became of it, with as many attempts as a new one has. */
    redeliver(accountId: number, id: string): Promise<Delivery | "disabled" | null>;
    /** One that is still to be delivered. */
    outgoing(id: string): Promise<OutgoingDelivery | null>;
    /**
     * Notes what came of it, and asks for the next attempt where there is to be one. Does nothing
     * when another attempt was noted since it was read, or it was sent again by hand. Deliveries
     * that are older than 30 days go.
     */
    settle(delivery: OutgoingDelivery, outcome: Outcome): Promise<void>;
    /** Sends nothing more to where it goes: there is nobody any more. */
    disableWebhookOf(id: string): Promise<void>;
  };

  readonly exports: Exports;
  readonly mockups: Mockups;

  /** Lists jobs, newest first. */
  listJobs(which: ListedJobs): Promise<readonly JobSummary[]>;
  /** Starts this process's part in the jobs, see `Jobs`. */
  openJobs(options: JobsOptions): Promise<Jobs>;
  /** For how long the oldest job has waited that could be done now, in seconds. */
  oldestJobSeconds(): Promise<number>;
  /** Answers when the database does; for readiness checks. */
  ping(): Promise<void>;
  /** Closes the connections, and stops the embedded database if this process is the last that uses it. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** A connection string; left out, the embedded PostgreSQL in `dataDir` is started or found. */
  readonly url?: string;
  readonly dataDir: string;
  /** Whether an embedded database is created where there is none; left out: it is. */
  readonly mayCreate?: boolean;
  /** Left out: `DEFAULT_QUOTAS`. */
  readonly quotas?: Quotas;
  /** Progress and warnings for people, one line each. */
  readonly log?: (line: string) => void;
}
