import Type, { type Static } from "typebox";
import type { Account } from "../../db/index.ts";
import { InvalidInput, issueAt, NotFound } from "./errors.ts";
import { isReturnOrigin } from "./origins.ts";
import { LowCreditThreshold } from "./resources/account.ts";
import { strict } from "./resources/fields.ts";
import type { Services } from "./services.ts";

export const AccountChanges = Type.Partial(
  Type.Object({
    low_credit_threshold: LowCreditThreshold,
    return_origins: Type.Array(Type.String({ maxLength: 300 }), {
      maxItems: 100,
      examples: [["https://shop.example"]],
      description:
        "Origins that customers may be sent back to: https, or http for loopback. Empty: any of these. Pages of listed origins may also call the API with the token of a guest session.",
    }),
  }),
  {
    ...strict,
    examples: [{ low_credit_threshold: 20, return_origins: ["https://shop.example"] }],
    description: "What is left out stays as it is.",
  },
);

const ORIGIN = "an origin such as https://shop.example";

/** Changes what is given of the account's settings. Throws InvalidInput for an unfit origin. */
export async function updateAccount(
  { db }: Services,
  accountId: number,
  changes: Static<typeof AccountChanges>,
): Promise<Account> {
  const issues = (changes.return_origins ?? []).flatMap((origin, index) =>
    isReturnOrigin(origin) ? [] : [issueAt(`/return_origins/${index}`, origin, ORIGIN)],
  );
  if (issues.length > 0) throw new InvalidInput(issues);
  const account = await db.accounts.update(accountId, changes);
  if (!account) throw new NotFound(`account ${accountId}`);
  return account;
}
