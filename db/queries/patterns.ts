/** Patterns. */
import { sql } from "slonik";
import Type from "typebox";
import { Instant, idRow, Nullable, row } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import type { Quotas } from "../quotas.ts";
import { Conflict, type Database, type PatternFields } from "../types/index.ts";
import { charge } from "./credits.ts";
import { recordEvent } from "./events.ts";
import { getOwned } from "./get-owned.ts";
import { checkBudget } from "./handoff-budget.ts";
import { ownedBy } from "./owner.ts";
import { page } from "./page.ts";
import { checkQuotas } from "./usage.ts";

const patternRow = row(
  Type.Object({
    id: Type.Integer(),
    account_id: Type.Integer(),
    source_id: Type.Integer(),
    group: Type.String(),
    name: Nullable(Type.String()),
    motif: Type.Unknown(),
    lattice: Type.Unknown(),
    seam: Type.Unknown(),
    effects: Type.Unknown(),
    palette: Type.Unknown(),
    style: Nullable(Type.String()),
    background: Nullable(Type.String()),
    version: Type.Integer(),
    created_at: Instant,
    updated_at: Instant,
  }),
);
const patternColumns = sql.fragment`
  id, account_id, source_id, "group", name, motif, lattice, seam, effects, palette, style,
  background, version, created_at, updated_at`;

const versionRow = row(Type.Object({ version: Type.Integer() }));

/** The columns that callers fill. */
const FIELDS = [
  "source_id",
  "group",
  "name",
  "motif",
  "lattice",
  "seam",
  "effects",
  "palette",
  "style",
  "background",
] as const satisfies readonly (keyof PatternFields)[];

const DOCUMENTS: ReadonlySet<string> = new Set(["motif", "lattice", "seam", "effects", "palette"]);

/** A field's value as SQL. A document that is null is SQL's null, not JSON's. */
function fieldValue(name: (typeof FIELDS)[number], fields: Partial<PatternFields>) {
  const value = fields[name];
  if (!DOCUMENTS.has(name) || value === null)
    return sql.fragment`${value as string | number | null}`;
  return sql.fragment`${JSON.stringify(value)}::jsonb`;
}

/**
 * The queries about patterns; their contract is the door's. With a handoff they reach only what was
 * made in it.
 */
export function patternQueries(
  pool: Connection,
  handoffId: number | null,
  quotas: Quotas,
): Database["patterns"] {
  const owns = (transaction: Connection, accountId: number, sourceId: number) =>
    // Held until the pattern stands, so that the source cannot be deleted in between.
    transaction.maybeOne(sql.type(idRow)`
      select id from sources where id = ${sourceId} and ${ownedBy(accountId, handoffId)}
      for key share`);

  /** What a customer went back to the shop with is what the shop will print. */
  const checkNotHandedOver = async (connection: Connection, id: number) => {
    if (handoffId === null) return;
    if (await connection.exists(sql.unsafe`select from handoffs where pattern_id = ${id}`)) {
      throw new Conflict(`the shop has pattern ${id} already`);
    }
  };

  return {
    get: getOwned(
      pool,
      handoffId,
      (where) => sql.type(patternRow)`select ${patternColumns} from patterns where ${where}`,
    ),

    create: (accountId, fields, cost) =>
      pool.transaction(async (transaction) => {
        if (!(await owns(transaction, accountId, fields.source_id))) return null;
        await checkBudget(transaction, handoffId, cost, true);
        const columns = FIELDS.map((name) => sql.identifier([name]));
        const values = FIELDS.map((name) => fieldValue(name, fields));
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
      }),

    list: async (accountId, { before = null, limit, group = null, source_id = null }) =>
      page(
        await pool.any(sql.type(patternRow)`
          select ${patternColumns} from patterns
          where ${ownedBy(accountId, handoffId)}
            and (${before}::bigint is null or id < ${before})
            and (${group}::text is null or "group" = ${group})
            and (${source_id}::bigint is null or source_id = ${source_id})
          order by id desc limit ${limit + 1}`),
        limit,
      ),

    update: (accountId, id, fields, version) => {
      const given = FIELDS.filter((name) => fields[name] !== undefined);
      return pool.transaction(async (transaction) => {
        const stored = await transaction.maybeOne(sql.type(versionRow)`
          select version from patterns where id = ${id} and ${ownedBy(accountId, handoffId)} for update`);
        if (!stored) return null;
        if (version !== undefined && version !== stored.version) return "stale";
        await checkNotHandedOver(transaction, id);
        const { source_id } = fields;
        if (source_id !== undefined && !(await owns(transaction, accountId, source_id)))
          return null;
        const changes = given.map(
          (name) => sql.fragment`${sql.identifier([name])} = ${fieldValue(name, fields)}`,
        );
        changes.push(sql.fragment`version = version + 1`, sql.fragment`updated_at = now()`);
        return transaction.one(sql.type(patternRow)`
          update patterns set ${sql.join(changes, sql.fragment`, `)} where id = ${id}
          returning ${patternColumns}`);
      });
    },

    delete: async (accountId, id, version) => {
      const wanted = version ?? null;
      await checkNotHandedOver(pool, id);
      const deleted = await pool.maybeOne(sql.type(idRow)`
        delete from patterns
        where id = ${id} and ${ownedBy(accountId, handoffId)}
          and (${wanted}::integer is null or version = ${wanted})
        returning id`);
      return deleted !== null;
    },
  };
}
