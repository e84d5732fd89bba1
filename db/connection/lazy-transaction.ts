/** A transaction that begins when one is first asked for. */
import type { DatabasePool, DatabaseTransactionConnection } from "slonik";
import type { Connection } from "./types.ts";

export interface LazyTransaction {
  /**
   * What to query with. Until its `transaction` is first called it takes any connection; from then
   * on everything runs in one transaction, and a `transaction` within it is a savepoint.
   */
  readonly connection: Connection;
  /** Runs the last work, in the same transaction, and commits. When it throws, all is rolled back. */
  commit(last: (transaction: Connection) => Promise<void>): Promise<void>;
  /** Rolls back what was written, if anything was. */
  rollback(): Promise<void>;
}

/** Ends a transaction whose work is not wanted. */
class Unwanted extends Error {}

/**
 * A transaction over several calls that holds a connection only once `transaction` is called, so
 * whatever is to be written with the rest must be written through that, and slow work before it (drawing a picture, fetching one) keeps none from others.
 */
export function lazyTransaction(pool: DatabasePool): LazyTransaction {
  let begun: Promise<DatabaseTransactionConnection> | null = null;
  let ended: Promise<void> = Promise.resolve();
  const verdict = Promise.withResolvers<void>();
  // Nobody may be waiting for it when the connection breaks.
  verdict.promise.catch(() => undefined);

  const begin = () => {
    begun ??= new Promise((resolve, reject) => {
      // What has run already cannot be run again by a retry.
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
      verdict.reject(new Unwanted());
      await ended.catch(() => undefined);
    },
  };
}
