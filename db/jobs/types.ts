/** Jobs as types. */
import type { Clock } from "pg-boss";
import type { MailPurpose } from "../types/mail.ts";

/** Each queue of jobs with what its jobs hold. */
export interface JobData {
  readonly deliver_webhook: {
    readonly delivery_id: string;
    /** Which attempt it is to be, counted from 1; another one has been made already otherwise. */
    readonly attempt: number;
  };
  readonly make_export: { readonly export_id: number };
  readonly draw_mockups: {
    readonly account_id: number;
    readonly pattern_id: number;
    /** What they were ordered by, a UUID. */
    readonly batch: string;
  };
  readonly send_mail: {
    readonly purpose: MailPurpose;
    /** Null: the address that was asked about has no account, and nothing is sent. */
    readonly account_id: number | null;
  };
}
export type QueueName = keyof JobData;

/** A job whose handler threw; it will be tried again. */
export interface FailedJob {
  readonly queue: QueueName;
  readonly data: JobData[QueueName];
  /** How often it was begun, this time included. */
  readonly tries: number;
}

export interface JobsOptions {
  /** Left out: the system's. */
  readonly clock?: Clock;
  /** Called with what goes wrong in jobs, `job` then says in which one, and around them. */
  readonly failed: (error: Error, job?: FailedJob) => void;
}

/** What may become of a job, as the job engine names it. */
export const JOB_STATES = [
  "created",
  "retry",
  "active",
  "completed",
  "cancelled",
  "failed",
] as const;
export type JobState = (typeof JOB_STATES)[number];

/** Which jobs are listed. */
export interface ListedJobs {
  /** Left out: those that are neither completed nor cancelled. */
  readonly state?: JobState | undefined;
  readonly limit: number;
}

/** A job as the operator sees it. */
export interface JobSummary {
  /** A UUID. */
  readonly id: string;
  readonly queue: string;
  readonly state: JobState;
  readonly data: unknown;
  /** How often it was begun. */
  readonly tries: number;
  readonly created_at: Date;
  readonly start_after: Date | null;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}
