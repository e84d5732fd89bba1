/** The credit ledger of an account. */
import Type, { type Static } from "typebox";
import {
  type Account,
  CREDIT_REASONS,
  type CreditEntry as CreditEntryRow,
  type Page,
} from "../../db/index.ts";
import { LowCreditThreshold } from "./account-settings.ts";
import { Id, PageOf, pageFields, readCursor, strict, Timestamp, toPageResponse } from "./fields.ts";
import type { Services } from "./services.ts";

export const CreditEntry = Type.Object(
  {
    id: Id,
    amount: Type.Integer({ description: "Negative where credits were spent." }),
    reason: Type.Enum([...CREDIT_REASONS], { description: "Reason of the change." }),
    reference: Type.Union([Type.String(), Type.Null()], {
      description: "The resource that was paid for, e.g. pattern:12.",
    }),
    note: Type.Union([Type.String(), Type.Null()], {
      description: "Why an operator changed the balance.",
    }),
    balance_after: Type.Integer({ description: "Balance after the change." }),
    created_at: Timestamp,
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
        note: null,
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
export function toCreditsResponse(
  { credits, low_credit_threshold }: Account,
  page: Page<CreditEntryRow>,
): Static<typeof Credits> {
  return {
    credits,
    low_credit_threshold,
    is_low: credits < low_credit_threshold,
    ...toPageResponse(page, ({ created_at, ...entry }) => ({
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

export const DailyCreditList = Type.Object(
  {
    days: Type.Integer({
      minimum: 1,
      maximum: 366,
      default: 30,
      description: "Number of days, today included.",
    }),
  },
  strict,
);

export const DailyCredits = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          day: Type.String({ format: "date", description: "In UTC." }),
          spent: Type.Integer(),
          received: Type.Integer(),
          balance: Type.Integer({ description: "At the end of the day." }),
        },
        strict,
      ),
      { description: "Every day, the oldest first." },
    ),
  },
  {
    ...strict,
    examples: [{ data: [{ day: "2026-01-31", spent: 13, received: 0, balance: 87 }] }],
  },
);
export type DailyCredits = Static<typeof DailyCredits>;

/** Returns what was spent and received on each of the last days, with the balance after it. */
export async function listDailyCredits(
  { db }: Services,
  { id, credits }: Account,
  { days }: Static<typeof DailyCreditList>,
): Promise<DailyCredits> {
  const rows = await db.credits.daily(id, days);
  let balance = credits;
  const newestFirst = rows.toReversed().map(({ day, spent, received }) => {
    const shown = { day, spent, received, balance };
    balance += spent - received;
    return shown;
  });
  return { data: newestFirst.toReversed() };
}
