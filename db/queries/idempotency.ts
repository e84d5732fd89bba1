/** Idempotent calls: made once, however often they are sent. */
import { randomUUID } from "node:crypto";
import { type DatabasePool, sql } from "slonik";
import Type from "typebox";
import { binary } from "../connection/binary.ts";
import { lazyTransaction } from "../connection/lazy-transaction.ts";
import { PROCESS_LOCK } from "../connection/locks.ts";
import type { ProcessLock } from "../connection/process-lock.ts";
import { Bytes, Nullable, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { Conflict } from "../errors.ts";

const RETENTION_HOURS = 24;

/** Expired calls that are deleted with each new one, so that they never add up. */
const DELETE_BATCH = 16;

/** A call with an idempotency key, and what to do about it. */
export type Claim<Database> = ClaimedCall<Database> | SettledClaim;

/** A call made for the first time: the caller executes it on `database`. */
interface ClaimedCall<Database> {
  readonly state: "claimed";
  /** Writes through it are committed together with the answer, or not at all. */
  readonly database: Database;
  /**
   * Stores the answer and commits the writes through `database`, both or neither. Throws `Conflict`
   * when another caller has claimed the call in the meantime.
   */
  settle(answer: Uint8Array): Promise<void>;
  /** Rolls back the writes and lets the call be made again. */
  release(): Promise<void>;
}

type SettledClaim =
  /** It was made, with this answer. */
  | { readonly state: "answered"; readonly answer: Uint8Array }
  /** Another caller is making it now. */
  | { readonly state: "in_flight" }
  /** The key was used for another call. */
  | { readonly state: "mismatch" };

const claimRow = row({ claim: Type.String() });
const callRow = row({ fingerprint: Bytes, answer: Nullable(Bytes) });

/**
 * @param lock of this process's calls in flight
 * @param bind returns the queries on another connection
 */
export function idempotencyQueries<Database>(
  pool: DatabasePool,
  lock: ProcessLock,
  bind: (connection: Connection) => Database,
) {
  return {
    /**
     * Claims a call for 24 hours. Both arguments are SHA-256: of the key that names the call, and of
     * the request. A call in flight can be claimed again once the process that claimed it has lost its
     * connection to the database.
     */
    async claim(
      accountId: number,
      keyHash: Uint8Array,
      fingerprint: Uint8Array,
    ): Promise<Claim<Database>> {
      const key = binary(keyHash);
      const content = binary(fingerprint);
      await deleteExpired(pool);
      const claim = randomUUID();
      const { number, release: releaseLock } = await lock.acquire();
      const won = await pool.maybeOne(sql.type(claimRow)`
        insert into idempotent_calls as c
          (account_id, key_hash, fingerprint, claim, holder, expires_at)
        values (${accountId}, ${key}, ${content}, ${claim}, ${number},
          now() + ${`${RETENTION_HOURS} h`}::interval)
        on conflict (account_id, key_hash) do update
          set fingerprint = excluded.fingerprint, claim = excluded.claim, answer = null,
            holder = excluded.holder, expires_at = excluded.expires_at
          where c.expires_at <= now()
            or (c.answer is null and c.fingerprint = excluded.fingerprint
              and pg_try_advisory_xact_lock_shared(${PROCESS_LOCK}, c.holder))
        returning claim`);
      if (!won) return existing(pool, accountId, key, fingerprint);

      const work = lazyTransaction(pool);
      return {
        state: "claimed",
        database: bind(work.connection),
        settle: (answer) =>
          work.commit(async (transaction) => {
            const kept = await transaction.maybeOne(sql.type(claimRow)`
              update idempotent_calls set answer = ${binary(answer)}
              where account_id = ${accountId} and key_hash = ${key} and claim = ${claim}
              returning claim`);
            if (!kept) throw new Conflict("another request with this key was completed first");
          }),
        async release() {
          try {
            await work.rollback();
            await pool.query(sql.unsafe`
              delete from idempotent_calls
              where account_id = ${accountId} and key_hash = ${key} and claim = ${claim}
                and answer is null`);
          } catch (error) {
            // It would be in flight for as long as this process lives.
            releaseLock();
            throw error;
          }
        },
      };
    },
  };
}

/** The state of a call that was claimed before. */
async function existing(
  pool: Connection,
  accountId: number,
  key: ReturnType<typeof binary>,
  fingerprint: Uint8Array,
): Promise<SettledClaim> {
  const call = await pool.maybeOne(sql.type(callRow)`
    select fingerprint, answer from idempotent_calls
    where account_id = ${accountId} and key_hash = ${key}`);
  // It was released between the two queries, and may be claimed again.
  if (!call) return { state: "in_flight" };
  if (Buffer.compare(call.fingerprint, fingerprint) !== 0) return { state: "mismatch" };
  return call.answer ? { state: "answered", answer: call.answer } : { state: "in_flight" };
}

async function deleteExpired(pool: Connection): Promise<void> {
  await pool.query(sql.unsafe`
    delete from idempotent_calls where (account_id, key_hash) in (
      select account_id, key_hash from idempotent_calls
      where expires_at <= now() limit ${DELETE_BATCH} for update skip locked)`);
}
