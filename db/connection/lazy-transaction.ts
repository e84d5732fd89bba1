/** A transaction that begins with its first use. */
import type { DatabasePool, DatabaseTransactionConnection } from "slonik";
import type { Connection } from "./types.ts";

export interface LazyTransaction {
  /**
   * Until its `transaction` is first called, queries run on any connection of the pool; from then on
   * all run in one transaction, and a `transaction` within it is a savepoint.
   */
  readonly connection: Connection;
  /** Runs the last work, in the same transaction, and commits. When it throws, all is rolled back. */
  commit(last: (transaction: Connection) => Promise<void>): Promise<void>;
  /** Rolls back what was written, if anything was. */
  rollback(): Promise<void>;
}

/** Rolls a transaction back. */
class Rollback extends Error {}

/**
 * A transaction over several calls that takes a connection only once `transaction` is called: slow work
 * before that (rendering, fetching) occupies none. Writes that belong to it must go through
 * `transaction`.
 */
export function lazyTransaction(pool: DatabasePool): LazyTransaction {
  let begun: Promise<DatabaseTransactionConnection> | null = null;
  let ended: Promise<void> = Promise.resolve();
  const verdict = Promise.withResolvers<void>();
  // Nothing may await it when the connection breaks.
  verdict.promise.catch(() => undefined);

  const begin = () => {
    begun ??= new Promise((resolve, reject) => {
      // Without slonik's retries: the calls cannot be repeated.
      ended = pool.transaction(async (transaction) => {
        resolve(transaction);
        await verdict.promise;
      }, 0);
      ended.catch(reject);
    });
    return begun;
  };

  const current = async (): Promise<Connection> => (begun === null ? pool : begun);
  const connection: Connection = {
    any: async (query) => (await current()).any(query),
    exists: async (query) => (await current()).exists(query),
    maybeOne: async (query) => (await current()).maybeOne(query),
    one: async (query) => (await current()).one(query),
    query: async (query) => (await current()).query(query),
    transaction: async (work) => (await begin()).transaction(work),
  };

  return {
    connection,
    async commit(last) {
      const transaction = await begin();
      try {
        await last(transaction);
        verdict.resolve();
      } catch (error) {
        verdict.reject(error);
      }
      await ended;
    },
    async rollback() {
      verdict.reject(new Rollback());
      await ended.catch(() => undefined);
    },
  };
}
