/** Jobs as types. */
import type { Clock } from "pg-boss";

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
}
export type QueueName = keyof JobData;

export interface JobsOptions {
  /** Left out: the system's. */
  readonly clock?: Clock;
  /** Hears what goes wrong in jobs and around them. */
  readonly failed: (error: Error) => void;
}
