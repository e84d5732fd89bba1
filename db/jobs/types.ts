/** Queues and jobs. */
import type { Clock } from "pg-boss";

/** Why an account is sent a link. */
export type LinkPurpose = "verify_email" | "reset_password" | "change_email";

/** Why an account is sent mail: a link, or news of what was done. */
export type MailPurpose = LinkPurpose | "email_changed" | "account_deleted";

/** The data of each queue's jobs. */
export interface JobData {
  readonly deliver_webhook: {
    readonly delivery_id: string;
    /** The number of the attempt, from 1; does nothing if that attempt was made already. */
    readonly attempt: number;
  };
  readonly make_export: { readonly export_id: number };
  readonly draw_mockups: {
    readonly account_id: number;
    readonly pattern_id: number;
    /** The order that they belong to, a UUID. */
    readonly batch: string;
  };
  readonly render_batch: { readonly batch_id: number };
  readonly send_mail: {
    readonly purpose: MailPurpose;
    /** Null where the address has no account; nothing is sent then. */
    readonly account_id: number | null;
    /** Left out: the account's address. */
    readonly to?: string;
  };
}
export type QueueName = keyof JobData;

/** A job whose handler threw; it will be retried. */
export interface FailedJob {
  readonly queue: QueueName;
  readonly data: JobData[QueueName];
  /** Number of attempts, including this one. */
  readonly tries: number;
}

/** A job as its handler sees it. */
export interface Job<Queue extends QueueName, Database> {
  readonly data: JobData[Queue];
  /** Number of attempts, including this one. */
  readonly tries: number;
  /** Name of the error of the attempt before; null on the first, and if its process died. */
  readonly lastError: string | null;
  /** Writes through it are committed together with the end of the job, or not at all. */
  readonly database: Database;
  /** The time by the jobs' clock, in milliseconds since 1970. */
  now(): number;
  /** Aborts when the job has taken too long or this process stops: another one will do it. */
  readonly signal: AbortSignal;
}

export type JobHandler<Queue extends QueueName, Database> = (
  job: Job<Queue, Database>,
) => Promise<void>;

export interface JobsOptions {
  /** Default: the system's clock. */
  readonly clock?: Clock;
  /** Called with errors of jobs, and with those of the job engine, then without `job`. */
  readonly onError: (error: Error, job?: FailedJob) => void;
}
