/** Schemas that several resources share. */
import Type, { type TSchema } from "typebox";
import type { Page } from "../../db/index.ts";
import { InvalidInput } from "./errors.ts";

export { Id } from "../../db/index.ts";

export const strict = { additionalProperties: false } as const;

export const Timestamp = Type.String({
  format: "date-time",
  examples: ["2026-01-31T12:00:00.000Z"],
  description: "A moment in UTC.",
});

/** A display name, without control characters: PostgreSQL stores no NUL. */
export const Name = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: "^[^\\u0000-\\u001f\\u007f]*$",
    title: `a string of 1 to ${maxLength} characters without control characters`,
  });

/** Text to search for, without control characters: PostgreSQL stores no NUL. */
export const SearchText = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: "^[^\\u0000-\\u001f\\u007f]*$",
    title: "a text of 1 to 200 characters without control characters",
    description,
  });

export const Parameters = Type.Record(Type.String(), Type.Unknown(), {
  description: "A JSON Schema for each parameter, with its range and default.",
});

/** Query fields of every list. */
export const pageFields = {
  cursor: Type.Optional(
    Type.String({ description: "`next_cursor` of the previous page; omit for the first page." }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: "Rows per page." }),
};

/** Returns the schema of a page of rows. */
export const PageOf = <Row extends TSchema>(row: Row) =>
  Type.Object(
    {
      data: Type.Array(row),
      next_cursor: Type.Union([Type.String(), Type.Null()], {
        examples: ["MTI"],
        description: "Cursor of the next page; null on the last one.",
      }),
    },
    strict,
  );

/** Returns a cursor's id, ready to be spread into a page request. Throws InvalidInput. */
export function readCursor(cursor: string | undefined): { before?: number } {
  if (cursor === undefined) return {};
  const id = Number(Buffer.from(cursor, "base64url").toString("latin1"));
  if (Number.isSafeInteger(id) && id > 0) return { before: id };
  const expected = "a next_cursor of an earlier response";
  throw new InvalidInput([{ path: "/cursor", message: `expected ${expected}`, expected }]);
}

/** Returns a page as the API represents it. */
export function toPageResponse<Row, Shown>(page: Page<Row>, toResponse: (row: Row) => Shown) {
  return {
    data: page.rows.map(toResponse),
    next_cursor: page.next === null ? null : Buffer.from(String(page.next)).toString("base64url"),
  };
}
