/** An API key as its owner sees it. */
import Type, { type Static } from "typebox";
import type { ApiKey as ApiKeyRow } from "../../../db/index.ts";
import { Id, Moment, strict } from "./fields.ts";

const fields = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: "How the secret begins." }),
  last_four: Type.String({ description: "How the secret ends." }),
  created_at: Moment,
  last_used_at: Type.Union([Moment, Type.Null()]),
};

const example = {
  id: 3,
  name: "shop",
  prefix: "pf_irRe",
  last_four: "0oof",
  created_at: "2026-01-31T12:00:00.000Z",
  last_used_at: null,
};

export const ApiKey = Type.Object(fields, {
  ...strict,
  examples: [example],
  description: "A key for programs. Its secret is not kept.",
});
export type ApiKey = Static<typeof ApiKey>;

export const NewApiKey = Type.Object(
  { ...fields, secret: Type.String({ description: "The key itself; shown this once." }) },
  {
    ...strict,
    description: "A key that was just made.",
    examples: [{ ...example, secret: "pf_irRe9t3IQy7qInmJcSy8LNjhf2C06iYC4W0oof" }],
  },
);

/** The stored key as it is shown. */
export function showApiKey(row: ApiKeyRow): ApiKey {
  const { account_id: _, created_at, last_used_at, ...shown } = row;
  return {
    ...shown,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}
