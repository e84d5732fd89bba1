/** Patterns. */
import { sql } from "slonik";
import Type from "typebox";
import { columnsOf, idRow, Nullable, type RowOf, row, Timestamp } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { Conflict } from "../errors.ts";
import type { Quotas } from "../quotas.ts";
import { charge } from "./credits.ts";
import { recordEvent } from "./events.ts";
import { getOwned } from "./get-owned.ts";
import { checkBudget } from "./handoff-budget.ts";
import { ownedBy } from "./owner.ts";
import { type PageRequest, page } from "./page.ts";
import { checkQuotas } from "./usage.ts";

const ownColumns = {
  id: Type.Integer(),
  account_id: Type.Integer(),
  source_id: Type.Integer(),
  group: Type.String(),
  name: Nullable(Type.String()),
  motif: Type.Unknown(),
  lattice: Type.Unknown(),
  counterchange: Nullable(Type.String()),
  seam: Type.Unknown(),
  effects: Type.Unknown(),
  palette: Type.Unknown(),
  style: Nullable(Type.String()),
  background: Nullable(Type.String()),
  /** Grows by one with every change; the ETag is made of it. */
  version: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
};

const patternRow = row({
  ...ownColumns,
  /** Its source, which stays as it is for as long as patterns have it. */
  source: Type.Object({
    preset: Nullable(Type.String()),
    seed: Nullable(Type.Integer()),
    width: Type.Integer(),
    height: Type.Integer(),
    has_alpha: Type.Boolean(),
    /** Hex. */
    sha256: Type.String(),
  }),
});
const patternColumns = sql.fragment`${columnsOf({ columns: ownColumns })},
  (select json_build_object('preset', preset, 'seed', seed, 'width', width, 'height', height,
    'has_alpha', has_alpha, 'sha256', encode(sha256, 'hex'))
    from sources where sources.id = patterns.source_id) as source`;
export type Pattern = RowOf<typeof patternRow>;

const PLAIN_FIELDS = [
  "source_id",
  "group",
  "counterchange",
  "name",
  "style",
  "background",
] as const;
const JSON_FIELDS = ["motif", "lattice", "seam", "effects", "palette"] as const;

/** What callers set of a pattern. */
export type PatternFields = Pick<
  Pattern,
  (typeof PLAIN_FIELDS)[number] | (typeof JSON_FIELDS)[number]
>;

interface PatternPageRequest extends PageRequest {
  readonly group?: string | null;
  readonly source_id?: number | null;
  /** A part of the name, in any case, or an id. */
  readonly search?: string | null;
}

const versionRow = row({ version: Type.Integer() });

/** The columns of the given fields, and their values. */
function assignments(fields: Partial<PatternFields>) {
  const plain = PLAIN_FIELDS.map((name) => ({ name, value: fields[name] }));
  const json = JSON_FIELDS.map((name) => {
    const value = fields[name];
    // Null is stored as SQL's null, not JSON's.
    return { name, value: value === undefined || value === null ? value : JSON.stringify(value) };
  });
  return [...plain, ...json].flatMap(({ name, value }) =>
    value === undefined ? [] : [{ column: sql.identifier([name]), value: sql.fragment`${value}` }],
  );
}

/** With a handoff they reach only patterns that were made in it. */
export function patternQueries(pool: Connection, handoffId: number | null, quotas: Quotas) {
  const owns = (transaction: Connection, accountId: number, sourceId: number) =>
    // Locked until the pattern is inserted, so that the source cannot be deleted in between.
    transaction.maybeOne(sql.type(idRow)`
      select id from sources where id = ${sourceId} and ${ownedBy(accountId, handoffId)}
      for key share`);

  /** A guest may not change a pattern that the shop was handed. Throws `Conflict`. */
  const requireNotHandedOver = async (connection: Connection, id: number) => {
    if (handoffId === null) return;
    if (await connection.exists(sql.unsafe`select from handoffs where pattern_id = ${id}`)) {
      throw new Conflict(`the shop has pattern ${id} already`);
    }
  };

  const insert = async (
    transaction: Connection,
    accountId: number,
    fields: PatternFields,
    cost: number,
  ): Promise<Pattern> => {
    await checkBudget(transaction, handoffId, cost, true);
    const given = assignments(fields);
    const columns = given.map(({ column }) => column);
    const values = given.map(({ value }) => value);
    const pattern = await transaction.one(sql.type(patternRow)`
      insert into patterns (account_id, handoff_id, ${sql.join(columns, sql.fragment`, `)})
      values (${accountId}, ${handoffId}, ${sql.join(values, sql.fragment`, `)})
      returning ${patternColumns}`);
    await checkQuotas(transaction, quotas, accountId, { patterns: 1 }, true);
    await recordEvent(transaction, accountId, "pattern.created", {
      pattern_id: pattern.id,
      source_id: pattern.source_id,
      group: pattern.group,
      name: pattern.name,
    });
    const reference = `pattern:${pattern.id}`;
    await charge(transaction, accountId, cost, { reason: "pattern", reference });
    return pattern;
  };

  return {
    get: getOwned(
      pool,
      handoffId,
      (where) => sql.type(patternRow)`select ${patternColumns} from patterns where ${where}`,
    ),

    /**
     * Creates a pattern and charges `cost` in the same transaction. Null when the source is not the
     * account's. Throws `CreditsExhausted`, `QuotaExceeded`.
     */
    create: (accountId: number, fields: PatternFields, cost: number) =>
      pool.transaction(async (transaction) => {
        if (!(await owns(transaction, accountId, fields.source_id))) return null;
        return insert(transaction, accountId, fields, cost);
      }),

    /** Creates patterns of a source, all or none, like `create`. */
    createAll: (
      accountId: number,
      sourceId: number,
      rows: readonly Omit<PatternFields, "source_id">[],
      cost: number,
    ) =>
      pool.transaction(async (transaction) => {
        if (!(await owns(transaction, accountId, sourceId))) return null;
        // Said of all of them, before one of them exceeds a quota.
        await checkQuotas(transaction, quotas, accountId, { patterns: rows.length }, false);
        const created: Pattern[] = [];
        for (const fields of rows) {
          const whole = { ...fields, source_id: sourceId };
          created.push(await insert(transaction, accountId, whole, cost));
        }
        return created;
      }),

    list: async (
      accountId: number,
      { before = null, limit, group = null, source_id = null, search = null }: PatternPageRequest,
    ) =>
      page(
        await pool.any(sql.type(patternRow)`
          select ${patternColumns} from patterns
          where ${ownedBy(accountId, handoffId)}
            and (${before}::bigint is null or id < ${before})
            and (${group}::text is null or "group" = ${group})
            and (${source_id}::bigint is null or source_id = ${source_id})
            and (${search}::text is null
              or strpos(lower(name), lower(${search})) > 0 or id::text = ${search})
          order by id desc limit ${limit + 1}`),
        limit,
      ),

    /**
     * Changes the given fields. `version` is that of `If-Match`: the result is "stale" when another one
     * is stored. Null when there is no such pattern, or the new source is not the account's.
     */
    update: (accountId: number, id: number, fields: Partial<PatternFields>, version?: number) =>
      pool.transaction(async (transaction) => {
        const stored = await transaction.maybeOne(sql.type(versionRow)`
          select version from patterns
          where id = ${id} and ${ownedBy(accountId, handoffId)} for update`);
        if (!stored) return null;
        if (version !== undefined && version !== stored.version) return "stale";
        await requireNotHandedOver(transaction, id);
        const { source_id } = fields;
        if (source_id !== undefined && !(await owns(transaction, accountId, source_id)))
          return null;
        const changes = assignments(fields).map(
          ({ column, value }) => sql.fragment`${column} = ${value}`,
        );
        changes.push(sql.fragment`version = version + 1`, sql.fragment`updated_at = now()`);
        return transaction.one(sql.type(patternRow)`
          update patterns set ${sql.join(changes, sql.fragment`, `)} where id = ${id}
          returning ${patternColumns}`);
      }),

    /** False when there is no such pattern, or it has another version where one is given. */
    delete: async (accountId: number, id: number, version?: number) => {
      const wanted = version ?? null;
      await requireNotHandedOver(pool, id);
      const deleted = await pool.maybeOne(sql.type(idRow)`
        delete from patterns
        where id = ${id} and ${ownedBy(accountId, handoffId)}
          and (${wanted}::integer is null or version = ${wanted})
        returning id`);
      return deleted !== null;
    },
  };
}
