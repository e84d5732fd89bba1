/** Sources, and the bytes they stand on. */
import { ForeignKeyIntegrityConstraintViolationError, sql } from "slonik";
import Type from "typebox";
import { binary } from "../binary.ts";
import type { Connection } from "../connection.ts";
import { Conflict, type Database } from "../door.ts";
import { Bytes, Instant, Nullable, row } from "../row.ts";
import { charge } from "./credits.ts";
import { getOwned } from "./get-owned.ts";
import { ownedBy } from "./owner.ts";
import { page } from "./page.ts";

const sourceRow = row(
  Type.Object({
    id: Type.Integer(),
    account_id: Type.Integer(),
    kind: Type.Union([Type.Literal("preset"), Type.Literal("url"), Type.Literal("upload")]),
    preset: Nullable(Type.String()),
    seed: Nullable(Type.Integer()),
    url: Nullable(Type.String()),
    media_type: Type.String(),
    width: Type.Integer(),
    height: Type.Integer(),
    has_alpha: Type.Boolean(),
    sha256: Type.String(),
    created_at: Instant,
  }),
);
const sourceColumns = sql.fragment`
  id, account_id, kind, preset, seed, url, media_type, width, height, has_alpha,
  encode(sha256, 'hex') as sha256, created_at`;

const bytesRow = row(Type.Object({ bytes: Bytes }));
const addressRow = row(Type.Object({ sha256: Type.String() }));

/**
 * The queries about sources; their contract is the door's. With a handoff they reach only what was
 * made in it.
 */
export function sourceQueries(pool: Connection, handoffId: number | null): Database["sources"] {
  return {
    create: (accountId, fields, bytes, cost) =>
      pool.transaction(async (transaction) => {
        const { kind, preset, seed, url, media_type, width, height, has_alpha, sha256 } = fields;
        // An update that changes nothing, so that bytes already there are locked against `delete`.
        await transaction.query(sql.unsafe`
          insert into source_bytes (sha256, bytes)
          values (decode(${sha256}, 'hex'), ${binary(bytes)})
          on conflict (sha256) do update set sha256 = excluded.sha256`);
        const source = await transaction.one(sql.type(sourceRow)`
          insert into sources
            (account_id, handoff_id, kind, preset, seed, url, media_type, width, height, has_alpha,
             sha256)
          values
            (${accountId}, ${handoffId}, ${kind}, ${preset}, ${seed}, ${url}, ${media_type}, ${width}, ${height},
             ${has_alpha}, decode(${sha256}, 'hex'))
          returning ${sourceColumns}`);
        const reference = `source:${source.id}`;
        await charge(transaction, accountId, cost, { reason: "source", reference });
        return source;
      }),

    get: getOwned(
      pool,
      handoffId,
      (where) => sql.type(sourceRow)`select ${sourceColumns} from sources where ${where}`,
    ),

    list: async (accountId, { before = null, limit }) =>
      page(
        await pool.any(sql.type(sourceRow)`
          select ${sourceColumns} from sources
          where ${ownedBy(accountId, handoffId)} and (${before}::bigint is null or id < ${before})
          order by id desc limit ${limit + 1}`),
        limit,
      ),

    unusedPresets: (accountId, limit) =>
      pool.any(sql.type(sourceRow)`
        select ${sourceColumns} from sources s
        where ${ownedBy(accountId, handoffId)} and kind = 'preset'
          and not exists (
            select from patterns p where p.account_id = s.account_id and p.source_id = s.id)
        order by id limit ${limit}`),

    bytes: async (sha256) => {
      const found = await pool.maybeOne(sql.type(bytesRow)`
        select bytes from source_bytes where sha256 = decode(${sha256}, 'hex')`);
      return found?.bytes ?? null;
    },

    delete: async (accountId, id) => {
      try {
        return await pool.transaction(async (transaction) => {
          // Bytes are locked before anything is removed: whoever adds a source with the same
          // picture at this moment waits, and then finds them either kept or gone.
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
