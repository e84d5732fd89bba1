/** Bytes in the object store, and the deletion of those that no row has. */
import { createHash, hash, randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import PQueue from "p-queue";
import { type FragmentSqlToken, sql } from "slonik";
import Type from "typebox";
import { chunksOf } from "../connection/chunks.ts";
import { row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { CorruptedContent } from "../errors.ts";
import { type ByteRange, type ObjectStore, ObjectStoreUnavailable } from "../object-store.ts";

/** The object store of this process. */
export interface ObjectStorage {
  readonly store: ObjectStore;
  /** Whether it is only read: new bytes go into the database, and nothing is deleted. */
  readonly isReadOnly: boolean;
  /** Folder for files that are being made. */
  readonly folder: string;
}

type ObjectKind = "exports" | "mockups" | "sources";

/** Objects without a row are kept for so long: their rows may be about to be written. */
const ORPHAN_GRACE_MS = 24 * 60 * 60_000;

/** Objects of rows that are gone are kept for so long: until the copy of the bucket beside a backup is done. */
const REMOVED_GRACE_MS = 24 * 60 * 60_000;

/** Objects in one page of deletions. */
const BATCH = 500;

/** Time limit of the check that the store takes objects. */
const CHECK_MS = 10_000;

/** Concurrent requests that delete objects. */
const DELETIONS_AT_ONCE = 8;

export const OTHER_BYTES = "the object store returned other bytes than it was given";

const EMPTY_SHA256 = hash("sha256", "");

const keyRow = row({ key: Type.String() });

/** Resolves with the SHA-256 in hex. The event loop runs between chunks. */
export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  const sum = createHash("sha256");
  for (const { chunk } of chunksOf(bytes)) {
    sum.update(chunk);
    await setImmediate();
  }
  return sum.digest("hex");
}

/**
 * Reads and writes objects. Each write has a key of its own, `INSTALLATION/KIND/SHA256/UUID`, so that no
 * deletion can meet a row that was written meanwhile.
 * @param installation names this database's objects, in a bucket that several may share
 */
export function storedObjects(storage: ObjectStorage | null, installation: string) {
  const requireStore = () => {
    if (storage) return storage.store;
    throw new ObjectStoreUnavailable("the bytes are in an object store, which is not configured");
  };
  const writable = storage?.isReadOnly ? null : storage;
  const newKey = (kind: ObjectKind, sha256: string) =>
    `${installation}/${kind}/${sha256}/${randomUUID()}`;
  /** Deletes an object that no row got. The sweep finds those that this leaves. */
  const discard = async (key: string, signal?: AbortSignal) => {
    await requireStore()
      .delete(key, signal)
      .catch(() => undefined);
  };
  return {
    /** The storage that new bytes are written to; null: the database. */
    writable,

    /**
     * Stores and deletes an empty object, so that nothing is made that cannot be stored. Throws
     * `ObjectStoreUnavailable`, also where that takes too long, and the reason of `signal`.
     */
    async checkWritable(kind: ObjectKind, signal?: AbortSignal) {
      if (!writable) return;
      const key = newKey(kind, EMPTY_SHA256);
      const limit = AbortSignal.timeout(CHECK_MS);
      const either = signal ? AbortSignal.any([signal, limit]) : limit;
      try {
        await writable.store.put(key, new Uint8Array(0), either);
      } catch (error) {
        signal?.throwIfAborted();
        if (!limit.aborted) throw error;
        const message = `the object store did not answer within ${CHECK_MS / 1000} seconds`;
        throw new ObjectStoreUnavailable(message, { cause: error });
      }
      await discard(key, either);
    },

    /** Stores bytes as a new object, and returns its key. */
    async put(
      kind: ObjectKind,
      sha256: string,
      body: Parameters<ObjectStore["put"]>[1],
      signal?: AbortSignal,
    ): Promise<string> {
      const key = newKey(kind, sha256);
      await requireStore().put(key, body, signal);
      return key;
    },

    /**
     * Stores bytes as a new object, reads it back and returns its key. Throws `ObjectStoreUnavailable`, also
     * where the store returns other bytes than it was given.
     */
    async putVerified(kind: ObjectKind, sha256: string, bytes: Uint8Array): Promise<string> {
      const key = newKey(kind, sha256);
      await requireStore().put(key, bytes);
      const read = await requireStore().get(key);
      if (read && (await sha256Hex(read)) === sha256) return key;
      await discard(key);
      throw new ObjectStoreUnavailable(OTHER_BYTES);
    },

    /** Begins the keys of all objects of this database. */
    prefix: `${installation}/`,

    /** An object or a range of it; null where it is missing. */
    get: (key: string, range?: ByteRange) => requireStore().get(key, range),

    /**
     * The bytes of an object, in shared memory; null where it is missing. Throws `CorruptedContent` where
     * they have another SHA-256.
     */
    async getVerified(key: string, sha256: string, [what, remedy]: readonly [string, string]) {
      const bytes = await requireStore().get(key);
      if (bytes && (await sha256Hex(bytes)) !== sha256)
        throw new CorruptedContent(what, { remedy });
      return bytes;
    },

    presign: (...given: Parameters<ObjectStore["presign"]>) => requireStore().presign(...given),

    discard,
  };
}
export type StoredObjects = ReturnType<typeof storedObjects>;

const TABLES_WITH_OBJECTS = ["exports", "mockups", "source_bytes"];

/** The condition that no row has the object `k.key`, or had it. */
const isOrphan = sql.join(
  [
    ...TABLES_WITH_OBJECTS.map(
      (table) => sql.fragment`
        not exists (select from ${sql.identifier([table])} where object_key = k.key)`,
    ),
    sql.fragment`not exists (select from removed_objects where key = k.key)`,
  ],
  sql.fragment` and `,
);

/** Deletion of objects. Several processes may do so at a time. */
export function objectCleaning(pool: Connection, { writable, prefix }: StoredObjects) {
  /** Deletes objects, and returns how many, and the errors. Ends early where the store does not answer. */
  const deleteAll = async (store: ObjectStore, keys: readonly string[]) => {
    const deleted: string[] = [];
    const failed: string[] = [];
    const errors: unknown[] = [];
    let isAway = false;
    const remove = async (key: string) => {
      if (isAway) return;
      try {
        await store.delete(key);
        deleted.push(key);
      } catch (error) {
        errors.push(error);
        failed.push(key);
        await store.ping().catch(() => {
          isAway = true;
        });
      }
    };
    const queue = new PQueue({ concurrency: DELETIONS_AT_ONCE });
    await queue.addAll(keys.map((key) => () => remove(key)));
    await pool.query(sql.unsafe`
      delete from removed_objects where key = any(${sql.array(deleted, "text")})`);
    await pool.query(sql.unsafe`
      update removed_objects set failed_at = now() where key = any(${sql.array(failed, "text")})`);
    return { deleted: deleted.length, errors, isAway };
  };
  const select = async (query: FragmentSqlToken) =>
    (await pool.any(sql.type(keyRow)`${query}`)).map(({ key }) => key);

  return {
    /**
     * Deletes the objects of rows that went more than `graceMs` ago. Throws the first error once the others
     * are deleted; those that failed come last the next time.
     */
    async deleteRemoved({ graceMs = REMOVED_GRACE_MS } = {}) {
      if (!writable) return;
      const failures: unknown[] = [];
      for (let goesOn = true; goesOn; ) {
        const keys = await select(sql.fragment`
          select key from removed_objects
          where removed_at <= now() - ${`${graceMs} ms`}::interval
          order by failed_at nulls first, removed_at limit ${BATCH}`);
        const { deleted, errors, isAway } = await deleteAll(writable.store, keys);
        failures.push(...errors.slice(0, 1));
        goesOn = keys.length === BATCH && deleted > 0 && !isAway;
      }
      if (failures.length > 0) throw failures[0];
    },

    /**
     * Deletes objects that never got a row, because their process died, once they are older than
     * `graceMs`. Returns how many. Throws the first error once the others are deleted.
     */
    async deleteOrphans({ graceMs = ORPHAN_GRACE_MS } = {}) {
      if (!writable) return 0;
      let count = 0;
      const failures: unknown[] = [];
      for await (const page of writable.store.list(prefix)) {
        const before = Date.now() - graceMs;
        const old = page.filter(({ modifiedAt }) => modifiedAt.getTime() <= before);
        const listed = sql.array(
          old.map(({ key }) => key),
          "text",
        );
        const orphans = await select(sql.fragment`
          select k.key from unnest(${listed}) as k (key) where ${isOrphan}`);
        const { deleted, errors, isAway } = await deleteAll(writable.store, orphans);
        count += deleted;
        failures.push(...errors.slice(0, 1));
        if (isAway) break;
      }
      if (failures.length > 0) throw failures[0];
      return count;
    },
  };
}
