/** An account as its owner sees it. */
import Type, { type Static } from "typebox";
import type { Account as AccountRow, Database } from "../../../db/index.ts";
import { Id, Moment, strict } from "./fields.ts";

export const LowCreditThreshold = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  examples: [10],
  description: "Below how many credits the account counts as running low.",
});

export const Account = Type.Object(
  {
    id: Id,
    email: Type.String(),
    plan: Type.Enum(["starter", "pro", "agency", "trial"]),
    credits: Type.Integer({ description: "What is left; a generation call costs 1." }),
    frozen: Type.Boolean(),
    low_credit_threshold: LowCreditThreshold,
    return_origins: Type.Array(Type.String(), {
      description: "Origins that a shop may be returned to; empty: any https origin.",
    }),
    created_at: Moment,
    usage: Type.Object(
      { sources: Type.Integer(), patterns: Type.Integer(), api_keys: Type.Integer() },
      { ...strict, description: "How many of each the account holds." },
    ),
  },
  {
    ...strict,
    description: "Who is billed: plan, credits and settings.",
    examples: [
      {
        id: 4,
        email: "ada@example.com",
        plan: "pro",
        credits: 87,
        frozen: false,
        low_credit_threshold: 10,
        return_origins: ["https://shop.example"],
        created_at: "2026-01-31T12:00:00.000Z",
        usage: { sources: 6, patterns: 11, api_keys: 2 },
      },
    ],
  },
);
export type Account = Static<typeof Account>;

type Usage = Awaited<ReturnType<Database["accounts"]["usage"]>>;

/** The stored account with what it holds, as it is shown. */
export function showAccount(row: AccountRow, usage: Usage): Account {
  return {
    id: row.id,
    email: row.email,
    plan: row.plan,
    credits: row.credits,
    frozen: row.frozen,
    low_credit_threshold: row.low_credit_threshold,
    return_origins: [...row.return_origins],
    created_at: row.created_at.toISOString(),
    usage,
  };
}
