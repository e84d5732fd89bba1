/** The bridge between slonik, which takes a Standard Schema, and TypeBox, which is ours. */
import {
  type Interceptor,
  type QueryResultRow,
  type QuerySqlToken,
  SchemaValidationError,
} from "slonik";
import Type, { type Static, type TSchema } from "typebox";
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

/** A schema for `sql.type(…)`, compiled once. */
export function row<Schema extends TSchema>(schema: Schema): RowSchema<Static<Schema>> {
  const validator = Compile(schema);
  return {
    "~standard": {
      version: 1,
      vendor: "typebox",
      validate: (value) => {
        if (validator.Check(value)) return { value: value as Static<Schema> };
        const issues = validator.Errors(value).map((error) => ({
          message: error.message,
          path: error.instancePath.split("/").slice(1),
        }));
        return { issues };
      },
      // Only ever looked at by the compiler.
      types: {} as { input: Static<Schema>; output: Static<Schema> },
    },
  };
}

/** A column of points in time; the pool gives them as `Date`. */
export const Instant = Type.Refine(Type.Unsafe<Date>({}), (value) => value instanceof Date);

/** A column of bytes. */
export const Bytes = Type.Refine(
  Type.Unsafe<Uint8Array>({}),
  (value) => value instanceof Uint8Array,
);

/** What is asked of a row where only its being there matters. */
export const idRow = row(Type.Object({ id: Type.Integer() }));

/** A column that may be null. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** The row as it is. Throws `SchemaValidationError` where it is not what the query's schema says. */
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

/** Refuses rows that are not what the query's schema says. */
export const checkRows: Interceptor = {
  name: "check-rows",
  transformRow: ({ resultParser }, query, found) => checkRow(query, resultParser, found),
};
