/** Returns the keys of a literal in their order, with their types. */
export const keysOf = <Row extends object>(rows: Row) =>
  Object.keys(rows) as (keyof Row & string)[];
