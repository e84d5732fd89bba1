/** The credit ledger of an account. */
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
    reason: Type.Enum([...CREDIT_REASONS], { description: "Reason of the change." }),
    reference: Type.Union([Type.String(), Type.Null()], {
      description: "The resource that was paid for, e.g. pattern:12.",
    }),
    balance_after: Type.Integer({ description: "Balance after the change." }),
    created_at: Moment,
  },
  {
    ...strict,
    description: "A change of the balance. Entries are immutable.",
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
    credits: Type.Integer({ examples: [87], description: "Balance." }),
    low_credit_threshold: LowCreditThreshold,
    is_low: Type.Boolean({
      examples: [false],
      description: "Whether the balance is below the threshold.",
    }),
    ...PageOf(CreditEntry).properties,
  },
  { ...strict, description: "The balance, and a page of its changes, newest first." },
);

/** Returns the balance with a page of its history, as the API represents them. */
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

/**
 * Returns a page of changes of the balance, newest first. Throws InvalidInput for an invalid
 * cursor.
 */
export async function listCredits(
  { db }: Services,
  { id }: Account,
  { cursor, limit }: Static<typeof CreditList>,
): Promise<Page<CreditEntryRow>> {
  return db.credits.entries(id, { ...readCursor(cursor), limit });
}
