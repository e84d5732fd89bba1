/** Schemas that several resources share. */
import Type from "typebox";

export const strict = { additionalProperties: false } as const;

/** Numbers of things in the database: 1, 2, 3, … */
export const Id = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  examples: [12],
});

export const Moment = Type.String({
  format: "date-time",
  examples: ["2026-01-31T12:00:00.000Z"],
  description: "A moment in UTC.",
});

/** A name that people give; control characters are kept out of it, PostgreSQL takes no NUL. */
export const Name = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: "^[^\\u0000-\\u001f\\u007f]*$",
    title: `a string of 1 to ${maxLength} characters without control characters`,
  });

export const Parameters = Type.Record(Type.String(), Type.Unknown(), {
  description: "A JSON Schema for each parameter, with its range and default.",
});
