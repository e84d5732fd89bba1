/** Handoffs: customers that a shop sends through the editor. */
import { sql } from "slonik";
import Type, { type Static } from "typebox";
import { binary } from "../connection/binary.ts";
import { columnsOf, idRow, Nullable, type RowOf, row, Timestamp } from "../connection/row.ts";
import type { Connection } from "../connection/types.ts";
import { recordEvent } from "./events.ts";
import { type PageRequest, page } from "./page.ts";

const Metadata = Type.Record(Type.String(), Type.Unknown());

const handoffRow = row({
  id: Type.Integer(),
  account_id: Type.Integer(),
  /** The shop's own number. */
  product_id: Type.Integer(),
  /** What the pattern is for. */
  product: Nullable(Type.Unknown()),
  return_url: Type.String(),
  /** Where customers go who cancel; null: to `return_url`. */
  cancel_url: Nullable(Type.String()),
  locale: Nullable(Type.String()),
  metadata: Nullable(Metadata),
  /** Returned to the shop as it came. */
  state: Nullable(Type.String()),
  /** Charged creations, and free uploads, that the customer's session may make. */
  max_patterns: Type.Integer(),
  created_at: Timestamp,
  expires_at: Timestamp,
  opened_at: Nullable(Timestamp),
  pattern_id: Nullable(Type.Integer()),
  finished_at: Nullable(Timestamp),
  cancelled_at: Nullable(Timestamp),
});
const handoffColumns = columnsOf(handoffRow);

/** A shop's customer on the way through the editor. */
export type Handoff = RowOf<typeof handoffRow>;

/** A pattern that a customer returned with. */
const returnRow = row({
  pattern_id: Type.Integer(),
  /** The pattern's fields with the SHA-256 of its source, as they were when it was handed over. */
  recipe: Type.Unknown(),
  handed_over_at: Timestamp,
});

/** Whether the customer has returned with a pattern. */
const knownRow = row({ is_known: Nullable(Type.Boolean()) });

type NewHandoff = Pick<
  Handoff,
  | "product_id"
  | "product"
  | "return_url"
  | "cancel_url"
  | "locale"
  | "metadata"
  | "state"
  | "max_patterns"
> & {
  /** SHA-256. */
  readonly tokenHash: Uint8Array;
  readonly lifetimeSeconds: number;
};

const jsonb = (value: unknown) =>
  sql.fragment`${value === null ? null : JSON.stringify(value)}::jsonb`;

/** The metadata of a handoff as events carry it. */
const metadataOf = ({ metadata }: { readonly metadata: Static<typeof Metadata> | null }) =>
  metadata === null ? {} : { metadata };

export function handoffQueries(pool: Connection) {
  return {
    create: (accountId: number, fields: NewHandoff) =>
      pool.transaction((transaction) => {
        const { tokenHash, product_id, return_url, cancel_url, locale, state } = fields;
        return transaction.one(sql.type(handoffRow)`
          insert into handoffs (account_id, token_hash, product_id, product, return_url, cancel_url,
            locale, metadata, state, max_patterns, expires_at)
          values (${accountId}, ${binary(tokenHash)}, ${product_id}, ${jsonb(fields.product)},
            ${return_url}, ${cancel_url}, ${locale}, ${jsonb(fields.metadata)}, ${state},
            ${fields.max_patterns}, now() + ${`${fields.lifetimeSeconds} s`}::interval)
          returning ${handoffColumns}`);
      }),

    /** The handoff whose token has this hash, whatever became of it. */
    byToken: (tokenHash: Uint8Array) =>
      pool.maybeOne(sql.type(handoffRow)`
        select ${handoffColumns} from handoffs where token_hash = ${binary(tokenHash)}`),

    get: (accountId: number, id: number) =>
      pool.maybeOne(sql.type(handoffRow)`
        select ${handoffColumns} from handoffs where id = ${id} and account_id = ${accountId}`),

    list: async (accountId: number, { before = null, limit }: PageRequest) =>
      page(
        await pool.any(sql.type(handoffRow)`
          select ${handoffColumns} from handoffs
          where account_id = ${accountId} and (${before}::bigint is null or id < ${before})
          order by id desc limit ${limit + 1}`),
        limit,
      ),

    /** What the customer returned with last, or this pattern if they returned with it. */
    getReturn: (handoffId: number, patternId: number | null) =>
      pool.maybeOne(sql.type(returnRow)`
        select pattern_id, recipe, handed_over_at from handoff_recipes
        where handoff_id = ${handoffId}
          and (${patternId}::bigint is null or pattern_id = ${patternId})
        order by handed_over_at desc limit 1`),

    /** Uses a handoff's token up; null when it was used already, or has expired. */
    open: (handoffId: number) =>
      pool.transaction(async (transaction) => {
        const handoff = await transaction.maybeOne(sql.type(handoffRow)`
          update handoffs set opened_at = now()
          where id = ${handoffId} and opened_at is null and expires_at > now()
          returning ${handoffColumns}`);
        if (!handoff) return null;
        const { id, account_id, product_id } = handoff;
        const started = { handoff_id: id, product_id, status: "started" } as const;
        const data = { ...started, ...metadataOf(handoff) };
        await recordEvent(transaction, account_id, "design.applied", data);
        return handoff;
      }),

    /**
     * Records the pattern that the customer returns with, and keeps it as it is at its first return. A
     * repeated request is no other event. Null for a pattern that was not made in the handoff.
     */
    finish: (accountId: number, id: number, patternId: number) =>
      pool.transaction(async (transaction) => {
        // Locked, so that the pattern cannot be changed or deleted in between.
        const pattern = await transaction.maybeOne(sql.type(idRow)`
          select id from patterns
          where id = ${patternId} and account_id = ${accountId} and handoff_id = ${id}
          for share`);
        if (!pattern) return null;
        await transaction.query(sql.unsafe`
          insert into handoff_recipes (handoff_id, pattern_id, recipe)
          select ${id}, p.id,
            jsonb_build_object('source_id', p.source_id,
              'source_sha256', encode(s.sha256, 'hex'), 'name', p.name, 'group', p."group",
              'motif', p.motif, 'lattice', p.lattice, 'counterchange', p.counterchange,
              'seam', p.seam, 'effects', p.effects, 'palette', p.palette, 'style', p.style,
              'background', p.background)
          from patterns p join sources s on s.id = p.source_id
          where p.id = ${patternId}
          on conflict (handoff_id, pattern_id) do update set handed_over_at = now()`);
        const { is_known } = await transaction.one(sql.type(knownRow)`
          select finished_at is not null and pattern_id = ${patternId} as is_known
          from handoffs where id = ${id} and account_id = ${accountId}
          for update`);
        const handoff = await transaction.one(sql.type(handoffRow)`
          update handoffs set pattern_id = ${patternId}, finished_at = now(), cancelled_at = null
          where id = ${id} and account_id = ${accountId}
          returning ${handoffColumns}`);
        if (is_known) return handoff;
        const { product_id } = handoff;
        const done = { handoff_id: id, product_id, status: "finished" } as const;
        const data = { ...done, pattern_id: patternId, ...metadataOf(handoff) };
        await recordEvent(transaction, accountId, "design.applied", data);
        return handoff;
      }),

    /** Records that the customer returns without a pattern; a finished handoff stays finished. */
    cancel: (accountId: number, id: number) =>
      pool.transaction((transaction) =>
        transaction.one(sql.type(handoffRow)`
          update handoffs set
            cancelled_at = case when finished_at is null then coalesce(cancelled_at, now()) end
          where id = ${id} and account_id = ${accountId}
          returning ${handoffColumns}`),
      ),
  };
}
