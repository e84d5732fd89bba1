/** Options that several commands take. */
import Type from "typebox";

/** Id of a row. */
export const id = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description });

export const account = id("id of the account");

export const role = Type.Union([Type.Literal("owner"), Type.Literal("operator")], {
  description: "owner, or operator of all accounts; another role revokes the tokens",
});

export const plan = Type.Union(
  [Type.Literal("starter"), Type.Literal("pro"), Type.Literal("agency"), Type.Literal("trial")],
  { description: "starter, pro, agency or trial" },
);

export const credits = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  description: "balance in credits",
});
