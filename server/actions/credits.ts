/** The ledger of an account's credits as its owner sees it. */
import Type, { type Static } from "typebox";
import {
  type Account,
  CREDIT_REASONS,
  type CreditEntry as CreditEntryRow,
  type Page,
} from "../../db/index.ts";
import { LowCreditThreshold } from "./account-settings.ts";
import { Id, Moment, PageOf, pageFields, readCursor, showPage, strict } from "./fields.ts";
import type { Services } from "./services.ts";

export const CreditEntry = Type.Object(
  {
    id: Id,
    amount: Type.Integer({ description: "Negative where credits were spent." }),
    reason: Type.Enum([...CREDIT_REASONS], { description: "What it was for." }),
    reference: Type.Union([Type.String(), Type.Null()], {
      description: "The thing that was paid for, e.g. pattern:12.",
    }),
    balance_after: Type.Integer({ description: "What was left then." }),
    created_at: Moment,
  },
  {
    ...strict,
    description: "A change of the balance. It is never rewritten.",
    examples: [
      {
        id: 40,
        amount: -1,
        reason: "pattern",
        reference: "pattern:12",
        balance_after: 87,
        created_at: "2026-01-31T12:00:00.000Z",
      },
    ],
  },
);

export const Credits = Type.Object(
  {
    credits: Type.Integer({ examples: [87], description: "What is left." }),
    low_credit_threshold: LowCreditThreshold,
    is_low: Type.Boolean({
      examples: [false],
      description: "Whether less than the threshold is left.",
    }),
    ...PageOf(CreditEntry).properties,
  },
  { ...strict, description: "The balance, and a page of what changed it, newest first." },
);

/** The balance with a page of its history, as they are shown. */
export function showCredits(
  { credits, low_credit_threshold }: Account,
  page: Page<CreditEntryRow>,
): Static<typeof Credits> {
  return {
    credits,
    low_credit_threshold,
    is_low: credits < low_credit_threshold,
    ...showPage(page, ({ created_at, ...entry }) => ({
      ...entry,
      created_at: created_at.toISOString(),
    })),
  };
}

export const CreditList = Type.Object(pageFields, strict);

/** A page of what changed the account's balance, newest first. Throws InvalidInput for a foreign cursor. */
export async function listCredits(
  { db }: Services,
  { id }: Account,
  { cursor, limit }: Static<typeof CreditList>,
): Promise<Page<CreditEntryRow>> {
  return db.credits.entries(id, { ...readCursor(cursor), limit });
}
