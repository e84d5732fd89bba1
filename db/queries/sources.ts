/** Sources, and their bytes by SHA-256. */
import { ForeignKeyIntegrityConstraintViolationError, sql } from "slonik";
import Type from "typebox";
import { CHUNK_BYTES } from "../connection/chunks.ts";
import { Bytes, Nullable, type RowOf, row, Timestamp } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { Conflict, CorruptedContent } from "../errors.ts";
import type { Quotas } from "../quotas.ts";
import { charge } from "./credits.ts";
import { getOwned } from "./get-owned.ts";
import { checkBudget } from "./handoff-budget.ts";
import { ownedBy } from "./owner.ts";
import { type PageRequest, page } from "./page.ts";
import { readVerified, upload } from "./stored-bytes.ts";
import type { StoredObjects } from "./stored-objects.ts";
import { checkQuotas } from "./usage.ts";

const sourceRow = row({
  id: Type.Integer(),
  account_id: Type.Integer(),
  kind: Type.Enum(["preset", "url", "upload"]),
  preset: Nullable(Type.String()),
  seed: Nullable(Type.Integer()),
  url: Nullable(Type.String()),
  media_type: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  has_alpha: Type.Boolean(),
  /** Hex. */
  sha256: Type.String(),
  created_at: Timestamp,
});
export type Source = RowOf<typeof sourceRow>;
export type NewSource = Omit<Source, "id" | "account_id" | "created_at">;

const sourceColumns = sql.fragment`
  id, account_id, kind, preset, seed, url, media_type, width, height, has_alpha,
  encode(sha256, 'hex') as sha256, created_at`;

const chunkRow = row({ chunk: Bytes });
const storedRow = row({
  length: Nullable(Type.Integer()),
  object_key: Nullable(Type.String()),
});
const addressRow = row({ sha256: Type.String() });

/** Stores bytes under their SHA-256, if they are not there yet, and locks them against `delete`. */
async function storeBytes(transaction: Connection, sha256: string, bytes: Uint8Array) {
  // The update locks stored bytes, and repairs damaged ones.
  await upload(transaction, bytes, (uploaded) =>
    transaction.query(sql.unsafe`
      insert into source_bytes as stored (sha256, bytes)
      values (decode(${sha256}, 'hex'), ${uploaded})
      on conflict (sha256) do update set object_key = null, bytes =
        case when sha256(stored.bytes) = stored.sha256 then stored.bytes else excluded.bytes end`),
  );
}

/** Locks stored bytes against `delete`. Returns whether there are any. */
async function lockBytes(transaction: Connection, sha256: string): Promise<boolean> {
  const { rowCount } = await transaction.query(sql.unsafe`
    select from source_bytes where sha256 = decode(${sha256}, 'hex') for key share`);
  return rowCount > 0;
}

/** Stores the key of undamaged bytes instead of what was stored, and locks them against `delete`. */
async function storeKey(transaction: Connection, sha256: string, key: string) {
  await transaction.query(sql.unsafe`
    insert into source_bytes (sha256, object_key) values (decode(${sha256}, 'hex'), ${key})
    on conflict (sha256) do update set object_key = excluded.object_key, bytes = null`);
}

/** With a handoff they reach only sources that were made in it. */
export function sourceQueries(
  pool: Connection,
  handoffId: number | null,
  quotas: Quotas,
  objects: StoredObjects,
) {
  /** @param missing the key of an object that there is not */
  const bytes = async (sha256: string, missing?: string): Promise<Uint8Array | null> => {
    const found = await pool.maybeOne(sql.type(storedRow)`
      select octet_length(bytes) as length, object_key from source_bytes
      where sha256 = decode(${sha256}, 'hex')`);
    if (!found) return null;
    const { length, object_key } = found;
    const about = [`the picture ${sha256}`, "upload it again to repair it"] as const;
    if (object_key !== null) {
      if (object_key === missing) throw new CorruptedContent(about[0], { remedy: about[1] });
      const stored = await objects.getVerified(object_key, sha256, about);
      return stored ?? bytes(sha256, object_key);
    }
    const read = async (start: number) => {
      const next = await pool.maybeOne(sql.type(chunkRow)`
        select substring(bytes from ${start + 1} for ${CHUNK_BYTES}) as chunk
        from source_bytes where sha256 = decode(${sha256}, 'hex') and bytes is not null`);
      return next?.chunk;
    };
    // Null where they were deleted, or moved, meanwhile.
    return (await readVerified(length ?? 0, sha256, read, about)) ?? bytes(sha256);
  };

  const areUndamaged = async (sha256: string) => {
    try {
      return (await bytes(sha256)) !== null;
    } catch (error) {
      if (error instanceof CorruptedContent) return false;
      throw error;
    }
  };

  return {
    /**
     * Checks early whether `create` would accept a source of `bytes` bytes at this cost. Throws
     * `QuotaExceeded`.
     */
    checkQuotas: async (accountId: number, bytes: number, cost: number) => {
      await checkQuotas(pool, quotas, accountId, { sources: 1, source_bytes: bytes }, false);
      await checkBudget(pool, handoffId, cost, false);
    },

    /**
     * Stores the bytes under their SHA-256, unless they are stored already and undamaged, creates the
     * source and charges `cost`, all in one transaction. Throws `CreditsExhausted`, `QuotaExceeded`,
     * `ObjectStoreUnavailable`.
     */
    create: async (accountId: number, fields: NewSource, bytes: Uint8Array, cost: number) => {
      const { kind, preset, seed, url, media_type, width, height, has_alpha, sha256 } = fields;
      const added = { sources: 1, source_bytes: bytes.byteLength };
      // In the store before there is a row. Quotas are checked before that, and again in the transaction.
      if (objects.writable) await checkQuotas(pool, quotas, accountId, added, false);
      const put = () => objects.putVerified("sources", sha256, bytes);
      const key = objects.writable && !(await areUndamaged(sha256)) ? await put() : null;
      return pool.transaction(async (transaction) => {
        await checkBudget(transaction, handoffId, cost, true);
        // Before the bytes are sent, and again once they are counted.
        await checkQuotas(transaction, quotas, accountId, added, false);
        if (!objects.writable) await storeBytes(transaction, sha256, bytes);
        else if (key !== null) await storeKey(transaction, sha256, key);
        // They may have been deleted meanwhile.
        else if (!(await lockBytes(transaction, sha256))) {
          await storeKey(transaction, sha256, await put());
        }
        const source = await transaction.one(sql.type(sourceRow)`
          insert into sources
            (account_id, handoff_id, kind, preset, seed, url, media_type, width, height, has_alpha,
             sha256, bytes)
          values
            (${accountId}, ${handoffId}, ${kind}, ${preset}, ${seed}, ${url}, ${media_type},
             ${width}, ${height}, ${has_alpha}, decode(${sha256}, 'hex'), ${bytes.byteLength})
          returning ${sourceColumns}`);
        await checkQuotas(transaction, quotas, accountId, added, true);
        const reference = `source:${source.id}`;
        await charge(transaction, accountId, cost, { reason: "source", reference });
        return source;
      });
    },

    get: getOwned(
      pool,
      handoffId,
      (where) => sql.type(sourceRow)`select ${sourceColumns} from sources where ${where}`,
    ),

    /** @param search a part of the preset's name or of the URL, in any case, or an id */
    list: async (
      accountId: number,
      { before = null, limit }: PageRequest,
      search: string | null = null,
    ) =>
      page(
        await pool.any(sql.type(sourceRow)`
          select ${sourceColumns} from sources
          where ${ownedBy(accountId, handoffId)} and (${before}::bigint is null or id < ${before})
            and (${search}::text is null or strpos(lower(preset), lower(${search})) > 0
              or strpos(lower(url), lower(${search})) > 0 or id::text = ${search})
          order by id desc limit ${limit + 1}`),
        limit,
      ),

    /** The account's sources made from presets that no pattern uses, oldest first. */
    unusedPresets: (accountId: number, limit: number) =>
      pool.any(sql.type(sourceRow)`
        select ${sourceColumns} from sources s
        where ${ownedBy(accountId, handoffId)} and kind = 'preset'
          and not exists (
            select from patterns p where p.account_id = s.account_id and p.source_id = s.id)
        order by id limit ${limit}`),

    /**
     * The bytes with this SHA-256, or null, in shared memory, which threads need not copy. Throws
     * `CorruptedContent`, `ObjectStoreUnavailable`.
     */
    bytes: (sha256: string) => bytes(sha256),

    /**
     * Deletes a source, and its bytes where no other source has them. False when there is no such
     * source. Throws `Conflict` while a pattern uses it.
     */
    delete: async (accountId: number, id: number) => {
      try {
        return await pool.transaction(async (transaction) => {
          // The bytes are locked first: a concurrent `create` with the same picture waits, and then
          // finds them either kept or gone.
          const source = await transaction.maybeOne(sql.type(addressRow)`
            select encode(b.sha256, 'hex') as sha256
            from sources s join source_bytes b using (sha256)
            where s.id = ${id} and ${ownedBy(accountId, handoffId)}
            for update`);
          if (!source) return false;
          await transaction.query(sql.unsafe`delete from sources where id = ${id}`);
          await transaction.query(sql.unsafe`
            delete from source_bytes where sha256 = decode(${source.sha256}, 'hex')
              and not exists (select from sources where sha256 = decode(${source.sha256}, 'hex'))`);
          return true;
        });
      } catch (error) {
        if (error instanceof ForeignKeyIntegrityConstraintViolationError) {
          throw new Conflict(`a pattern uses source ${id}`, { cause: error });
        }
        throw error;
      }
    },
  };
}
