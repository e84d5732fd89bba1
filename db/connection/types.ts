/** What queries run on: the pool, a transaction, or one that begins when something is written. */
import type { CommonQueryMethods } from "slonik";

export type Connection = Pick<
  CommonQueryMethods,
  "any" | "exists" | "maybeOne" | "one" | "query" | "transaction"
>;
