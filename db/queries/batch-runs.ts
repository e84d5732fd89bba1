/** Runs of batches: what the job `render_batch` reads and writes. */
import { sql } from "slonik";
import Type from "typebox";
import { idRow, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { Superseded } from "../errors.ts";
import { batchColumns, batchRow, batchSubjects, ended } from "./batches.ts";
import { recordEvent } from "./events.ts";
import { requestJob } from "./outbox.ts";
import type { Retention } from "./retention.ts";

const runRow = row({ run: Type.Integer() });
const attemptsRow = row({ attempts: Type.Integer() });

/** One run at rendering a batch; a later one supersedes it. */
export interface BatchRun {
  readonly id: number;
  /** Counted from 1. */
  readonly run: number;
}

/** A picture that was rendered; hashes in hex. */
export interface BatchPicture {
  readonly fingerprint: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly media_type: string;
  readonly width: number;
  readonly height: number;
}

export type BatchOutcome = BatchPicture | { readonly error: object };

/** The condition that a row of `batches` belongs to a run that nothing has superseded. */
const isRunning = ({ id, run }: BatchRun) =>
  sql.fragment`(b.id = ${id} and b.runs = ${run} and b.status = 'running')`;

const hex = (text: string) => sql.fragment`decode(${text}, 'hex')`;

const columnsOfOutcome = (outcome: BatchOutcome) =>
  "error" in outcome
    ? sql.fragment`status = 'failed', error = ${JSON.stringify(outcome.error)}::json`
    : sql.fragment`status = 'done', fingerprint = ${hex(outcome.fingerprint)},
        sha256 = ${hex(outcome.sha256)}, bytes = ${outcome.bytes},
        media_type = ${outcome.media_type}, width = ${outcome.width}, height = ${outcome.height}`;

const superseded = ({ id, run }: BatchRun) =>
  new Superseded(`run ${run} of batch ${id} has been superseded`);

export function batchRunQueries(pool: Connection, retention: Retention) {
  const requireRun = async (run: BatchRun) => {
    const isCurrent = await pool.exists(sql.unsafe`select from batches b where ${isRunning(run)}`);
    if (!isCurrent) throw superseded(run);
  };

  return {
    /** Begins a run. Null when the batch is finished, cancelled or deleted. */
    begin: (id: number) =>
      pool.transaction(async (transaction) => {
        const begun = await transaction.maybeOne(sql.type(runRow)`
          update batches set status = 'running', runs = runs + 1
          where id = ${id} and status in ('queued', 'running') returning runs as run`);
        if (!begun) return null;
        const batch = await transaction.one(sql.type(batchRow)`
          select ${batchColumns} from batches where id = ${id}`);
        return { batch, run: { id, run: begun.run } };
      }),

    /** The items that wait, from an index on, in their order. */
    waiting: (run: BatchRun, from: number, limit: number) =>
      batchSubjects(
        pool,
        sql.fragment`${isRunning(run)} and i.status = 'queued' and i.index >= ${from}`,
        limit,
      ),

    /** Throws `Superseded` where another run, or the account, has taken the batch over. */
    requireRun,

    /** Records that an item's render begins; returns how often it did. Throws `Superseded`. */
    beginItem: async (run: BatchRun, index: number) => {
      const begun = await pool.maybeOne(sql.type(attemptsRow)`
        update batch_items i set attempts = attempts + 1 from batches b
        where ${isRunning(run)} and i.batch_id = b.id and i.index = ${index} returning attempts`);
      if (!begun) throw superseded(run);
      return begun.attempts;
    },

    /** Records that an item's render ended early through no fault of its own. */
    releaseItem: async (run: BatchRun, index: number) => {
      await pool.query(sql.unsafe`
        update batch_items i set attempts = attempts - 1 from batches b
        where ${isRunning(run)} and i.batch_id = b.id and i.index = ${index}`);
    },

    /** Records an item's picture or error, and counts it. Throws `Superseded`. */
    settleItem: async (run: BatchRun, index: number, outcome: BatchOutcome) => {
      const counted = "error" in outcome ? sql.fragment`failed` : sql.fragment`done`;
      // The batch's row is locked first, so that none is counted after it was cancelled.
      const settled = await pool.maybeOne(sql.type(idRow)`
        with counted as (
          update batches b set ${counted} = ${counted} + 1
          where ${isRunning(run)} and exists (
            select from batch_items i
            where i.batch_id = b.id and i.index = ${index} and i.status = 'queued')
          returning id)
        update batch_items i set ${columnsOfOutcome(outcome)} from counted
        where i.batch_id = counted.id and i.index = ${index}
        returning i.batch_id as id`);
      if (!settled) throw superseded(run);
    },

    /** Ends the batch and records the event `batch.ready`. Throws `Superseded`. */
    finish: (run: BatchRun, manifestUrl: string) =>
      pool.transaction(async (transaction) => {
        // In the order in which the deletion of the account locks both.
        await transaction.query(sql.unsafe`
          select from accounts where id = (select account_id from batches where id = ${run.id})
          for key share`);
        const batch = await transaction.maybeOne(sql.type(batchRow)`
          update batches b set status = 'finished', ${ended(retention)}
          where ${isRunning(run)} returning ${batchColumns}`);
        if (!batch) throw superseded(run);
        const { id, account_id, name, total, done, failed } = batch;
        const facts = { batch_id: id, name, total, done, failed, manifest_url: manifestUrl };
        await recordEvent(transaction, account_id, "batch.ready", facts);
        return batch;
      }),

    /** Requests the next run, of the same batch. */
    requestNext: (id: number, accountId: number) =>
      requestJob(pool, "render_batch", {
        data: { batch_id: id },
        group: `account ${accountId}`,
      }),
  };
}
