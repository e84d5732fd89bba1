/** The bridge between slonik, which takes a Standard Schema, and TypeBox, which is ours. */
import {
  type Interceptor,
  type QueryResultRow,
  type QuerySqlToken,
  SchemaValidationError,
  sql,
} from "slonik";
import Type, { type Static, type TObject, type TProperties, type TSchema } from "typebox";
import { Compile } from "typebox/compile";

interface Issue {
  readonly message: string;
  readonly path: readonly string[];
}

/** The part of https://standardschema.dev that slonik asks for. */
export interface RowSchema<Row> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "typebox";
    readonly validate: (value: unknown) => { value: Row } | { issues: readonly Issue[] };
    readonly types: { readonly input: Row; readonly output: Row };
  };
}

/** What a query with this schema returns. */
export type RowOf<Schema extends RowSchema<unknown>> = Schema["~standard"]["types"]["output"];

/** A schema for `sql.type(…)`, compiled with the first row. */
export function row<const Columns extends TProperties>(columns: Columns) {
  type Row = Static<TObject<Columns>>;
  const compile = () => Compile(Type.Object(columns));
  let validator: ReturnType<typeof compile> | undefined;
  const schema: RowSchema<Row> = {
    "~standard": {
      version: 1,
      vendor: "typebox",
      validate: (value) => {
        validator ??= compile();
        if (validator.Check(value)) return { value };
        const issues = validator.Errors(value).map((error) => ({
          message: error.message,
          path: error.instancePath.split("/").slice(1),
        }));
        return { issues };
      },
      // Only ever looked at by the compiler.
      types: {} as RowSchema<Row>["~standard"]["types"],
    },
  };
  return { ...schema, columns };
}

/** The names of a row's columns, for `select` and `returning`; `alias` is the table's name in the query. */
export function columnsOf({ columns }: { readonly columns: TProperties }, alias?: string) {
  const names = Object.keys(columns).map((name) => (alias === undefined ? [name] : [alias, name]));
  return sql.join(names.map(sql.identifier), sql.fragment`, `);
}

/** A column of points in time; the pool parses them to `Date`. */
export const Timestamp = Type.Refine(Type.Unsafe<Date>({}), (value) => value instanceof Date);

/** A column of bytes. */
export const Bytes = Type.Refine(
  Type.Unsafe<Uint8Array>({}),
  (value) => value instanceof Uint8Array,
);

/** For queries of which only the existence of a row matters. */
export const idRow = row({ id: Type.Integer() });

/** A column that may be null. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** Returns the row as it is. Throws `SchemaValidationError` where it does not match the query's schema. */
export function checkRow(
  query: Pick<QuerySqlToken, "sql" | "values">,
  parser: QuerySqlToken["parser"] | undefined,
  found: QueryResultRow,
): QueryResultRow {
  const result = parser?.["~standard"].validate(found);
  if (!result || result instanceof Promise || !("issues" in result) || !result.issues) {
    return found;
  }
  throw new SchemaValidationError(query, found, result.issues);
}

/** Refuses rows that do not match the query's schema. */
export const checkRows: Interceptor = {
  name: "check-rows",
  transformRow: ({ resultParser }, query, found) => checkRow(query, resultParser, found),
};
