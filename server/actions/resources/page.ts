/** Lists come in pages, newest first, with an opaque cursor to go on from. */
import Type, { type TSchema } from "typebox";
import type { Page } from "../../../db/index.ts";
import { InvalidInput } from "../errors.ts";
import { strict } from "./fields.ts";

/** What a list takes beside its filters. */
export const pageFields = {
  cursor: Type.Optional(
    Type.String({ description: "`next_cursor` of the page before; left out: the first page." }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: "Rows in a page." }),
};

/** A page of rows of the given kind. */
export const PageOf = <Row extends TSchema>(row: Row) =>
  Type.Object(
    {
      data: Type.Array(row),
      next_cursor: Type.Union([Type.String(), Type.Null()], {
        examples: ["MTI"],
        description: "Where the next page begins; null on the last one.",
      }),
    },
    strict,
  );

/** The id that a cursor stands for, ready to be spread into a page request. Throws InvalidInput. */
export function readCursor(cursor: string | undefined): { before?: number } {
  if (cursor === undefined) return {};
  const id = Number(Buffer.from(cursor, "base64url").toString("latin1"));
  if (Number.isSafeInteger(id) && id > 0) return { before: id };
  const expected = "a next_cursor of an earlier answer";
  throw new InvalidInput([{ path: "/cursor", message: `expected ${expected}`, expected }]);
}

/** The page with each row as it is shown. */
export function showPage<Row, Shown>(page: Page<Row>, show: (row: Row) => Shown) {
  return {
    data: page.rows.map(show),
    next_cursor: page.next === null ? null : Buffer.from(String(page.next)).toString("base64url"),
  };
}
