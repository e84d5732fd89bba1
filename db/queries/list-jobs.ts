import { sql } from "slonik";
import Type from "typebox";
import { Nullable, row, Timestamp } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { hasJobEngine } from "./job-backlog.ts";

/** The states of a job, as the job engine names them. */
export const JOB_STATES = [
  "created",
  "retry",
  "active",
  "completed",
  "cancelled",
  "failed",
] as const;

const jobRow = row({
  /** A UUID. */
  id: Type.String(),
  queue: Type.String(),
  state: Type.Enum(JOB_STATES),
  data: Type.Unknown(),
  /** Number of attempts, including one in progress. */
  tries: Type.Integer(),
  created_at: Timestamp,
  start_after: Nullable(Timestamp),
  started_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
});

export interface JobFilter {
  /** Default: the states that are neither `completed` nor `cancelled`. */
  readonly state?: (typeof JOB_STATES)[number] | undefined;
  readonly limit: number;
}

/** Jobs in the outbox, which are not in the job engine yet. */
const WAITING = sql.fragment`
  select id, queue, 'created' as state, data, 0 as tries, created_at, start_after,
    null::timestamptz as started_at, null::timestamptz as finished_at
  from outbox`;

const ENGINE = sql.fragment`
  select id, name as queue, state::text, data,
    retry_count + case when started_on is null then 0 else 1 end as tries, created_on, start_after,
    started_on, completed_on
  from pgboss.job`;

/** Lists jobs, newest first. */
export async function listJobs(pool: Connection, { state, limit }: JobFilter) {
  const jobs = (await hasJobEngine(pool)) ? sql.fragment`${WAITING} union all ${ENGINE}` : WAITING;
  const wanted = state === undefined ? ["created", "retry", "active", "failed"] : [state];
  return pool.any(sql.type(jobRow)`
    select * from (${jobs}) as jobs where state = any(${sql.array(wanted, "text")})
    order by created_at desc, id limit ${limit}`);
}
