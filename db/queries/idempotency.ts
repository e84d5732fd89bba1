/** Calls that are made once, however often they are sent. */
import { randomUUID } from "node:crypto";
import { type DatabasePool, sql } from "slonik";
import Type from "typebox";
import type { CallHolder } from "../connection/call-holder.ts";
import { lazyTransaction } from "../connection/lazy-transaction.ts";
import { CALL_HOLDER_LOCK } from "../connection/locks.ts";
import { Bytes, Nullable, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { type Claim, Conflict, type Database } from "../types/index.ts";

const KEPT_HOURS = 24;

/** Calls that are forgotten with each new one, so that they never add up. */
const FORGOTTEN = 16;

const claimRow = row(Type.Object({ claim: Type.String() }));
const callRow = row(Type.Object({ fingerprint: Bytes, answer: Nullable(Bytes) }));

/**
 * The queries about calls with a key.
 * @param holder of this process's calls in flight
 * @param bind returns the queries on another connection
 */
export function idempotencyQueries(
  pool: DatabasePool,
  holder: CallHolder,
  bind: (connection: Connection) => Database,
): Database["idempotency"] {
  return {
    async claim(accountId, keyHash, fingerprint): Promise<Claim> {
      const key = sql.binary(Buffer.from(keyHash));
      const content = sql.binary(Buffer.from(fingerprint));
      await forget(pool);
      const claim = randomUUID();
      const { number, abandon } = await holder.take();
      const won = await pool.maybeOne(sql.type(claimRow)`
        insert into idempotent_calls as c
          (account_id, key_hash, fingerprint, claim, holder, expires_at)
        values (${accountId}, ${key}, ${content}, ${claim}, ${number},
          now() + ${`${KEPT_HOURS} h`}::interval)
        on conflict (account_id, key_hash) do update
          set fingerprint = excluded.fingerprint, claim = excluded.claim, answer = null,
            holder = excluded.holder, expires_at = excluded.expires_at
          where c.expires_at <= now()
            or (c.answer is null and c.fingerprint = excluded.fingerprint
              and pg_try_advisory_xact_lock_shared(${CALL_HOLDER_LOCK}, c.holder))
        returning claim`);
      if (!won) return existing(pool, accountId, key, fingerprint);

      const work = lazyTransaction(pool);
      return {
        state: "claimed",
        database: bind(work.connection),
        settle: (answer) =>
          work.commit(async (transaction) => {
            const kept = await transaction.maybeOne(sql.type(claimRow)`
              update idempotent_calls set answer = ${sql.binary(Buffer.from(answer))}
              where account_id = ${accountId} and key_hash = ${key} and claim = ${claim}
              returning claim`);
            if (!kept) throw new Conflict("another call with this key was faster");
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
            abandon();
            throw error;
          }
        },
      };
    },
  };
}

/** What is to be said of a call that was claimed before. */
async function existing(
  pool: Connection,
  accountId: number,
  key: ReturnType<typeof sql.binary>,
  fingerprint: Uint8Array,
): Promise<Claim> {
  const call = await pool.maybeOne(sql.type(callRow)`
    select fingerprint, answer from idempotent_calls
    where account_id = ${accountId} and key_hash = ${key}`);
  // It failed between the two queries, and may be made anew.
  if (!call) return { state: "in_flight" };
  if (Buffer.compare(call.fingerprint, fingerprint) !== 0) return { state: "mismatch" };
  return call.answer ? { state: "answered", answer: call.answer } : { state: "in_flight" };
}

async function forget(pool: Connection): Promise<void> {
  await pool.query(sql.unsafe`
    delete from idempotent_calls where (account_id, key_hash) in (
      select account_id, key_hash from idempotent_calls
      where expires_at <= now() limit ${FORGOTTEN} for update skip locked)`);
}
