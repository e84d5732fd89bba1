/** What queries run on: the pool, a transaction, or a lazy transaction. */
import type { CommonQueryMethods } from "slonik";

export type Connection = Pick<
  CommonQueryMethods,
  "any" | "exists" | "maybeOne" | "one" | "query" | "transaction"
>;
